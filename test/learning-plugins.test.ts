// What the xAPI plugin of a Moodle sends in its life: batches about several learners, pages beside courses, empty lists, replays, and ticks taken back.

import { expect, test } from 'vitest'
import { judge } from '#jobs/judge.ts'
import { type Campus, openCampus, soon, xapiPassword } from './support/campus.ts'
import { describeWithDatabase } from './support/database.ts'

const count = async ({ world }: Campus, from: string) =>
  (await world.app.database.query(`SELECT FROM ${from}`)).rowCount

describeWithDatabase('the xAPI plugin', () => {
  test('is believed once of each learner, whatever it sends again or takes back', async () => {
    await using campus = await openCampus({ idle: true })
    const { lms, course, world } = campus
    const { database } = world.app
    lms.tell({ xapi: { endpoint: `${campus.web.url}/xapi/statements`, user: 'lms', password: xapiPassword } })
    const [ada, byron] = [campus.enrol('ada'), campus.enrol('byron')]
    await lms.complete(ada, course)
    await lms.complete(byron, course)
    await database.query('ALTER TABLE delivery RENAME TO elsewhere')
    await lms.cron()
    await database.query('ALTER TABLE elsewhere RENAME TO delivery')
    // Two pages and two courses, which nobody sends again by himself.
    await lms.cron()
    expect([lms.parked(), await count(campus, 'delivery')]).toEqual([4, 0])
    await lms.replay()
    expect([lms.parked(), await count(campus, 'delivery')]).toEqual([0, 4])
    await judge(world.app, { system: 'statements' })
    expect(await count(campus, `completion WHERE heard_by = 'event'`)).toBe(2)

    await campus.work()
    for (const learner of [ada, byron])
      await expect.poll(() => campus.profileOf(learner), soon).toMatchObject({ credstatus: 'issued' })
    const page = campus.criteria[0] ?? 0
    await lms.untick(ada, course, page)
    await lms.tick(ada, course, undefined, page)
    await lms.cron()
    expect(lms.parked()).toBe(0)
    await expect.poll(() => count(campus, `delivery WHERE state = 'judged'`), soon).toBe(6)
    expect(await campus.profileOf(ada)).toMatchObject({ credstatus: 'issued' })
    expect(world.sandbox.requests()).toHaveLength(2)
  })
})
