// The requests of Moodle's xAPI plugin: batches about several learners, pages of courses, empty lists, replays, and
// voided completions.

import { expect, test } from 'vitest'
import { processEvents } from '#jobs/lms/process-events.ts'
import { type Campus, completionWait, openCampus, xapiPassword } from '#test/support/campus.ts'
import { describeWithDatabase } from '#test/support/database.ts'

const count = async ({ world }: Campus, from: string) =>
  (await world.app.database.query(`SELECT FROM ${from}`)).rowCount

describeWithDatabase('the xAPI plugin', () => {
  test('results in one credential for each learner, whatever it repeats or voids', async () => {
    await using campus = await openCampus({ idle: true })
    const { lms, course, world } = campus
    const { database } = world.app
    lms.sendEventsTo({ xapi: { endpoint: `${campus.web.url}/xapi/statements`, user: 'lms', password: xapiPassword } })
    const [ada, byron] = [campus.enroll('ada'), campus.enroll('byron')]
    await lms.complete(ada, course)
    await lms.complete(byron, course)
    await database.query('ALTER TABLE inbound_event RENAME TO elsewhere')
    await lms.cron()
    await database.query('ALTER TABLE elsewhere RENAME TO inbound_event')
    // The statements about two pages and two courses are stored in Moodle, and the next cron does not send them again.
    await lms.cron()
    expect([lms.parked(), await count(campus, 'inbound_event')]).toEqual([4, 0])
    await lms.replay()
    expect([lms.parked(), await count(campus, 'inbound_event')]).toEqual([0, 4])
    await processEvents(world.app, { system: 'statements' })
    expect(await count(campus, `completion WHERE found_by = 'event'`)).toBe(2)

    await campus.startWorker()
    for (const learner of [ada, byron])
      await expect.poll(() => campus.profileOf(learner), completionWait).toMatchObject({ credstatus: 'issued' })
    const page = campus.criteria[0] ?? 0
    await lms.untick(ada, course, page)
    await lms.tick(ada, course, undefined, page)
    await lms.cron()
    expect(lms.parked()).toBe(0)
    await expect.poll(() => count(campus, `inbound_event WHERE state = 'processed'`), completionWait).toBe(6)
    expect(await campus.profileOf(ada)).toMatchObject({ credstatus: 'issued' })
    expect(world.sandbox.requests()).toHaveLength(2)
  })
  test.each(['username', 'mbox'] as const)('may identify learners by %s', async (actor) => {
    await using campus = await openCampus({ idle: true })
    const { lms, course, world } = campus
    const endpoint = `${campus.web.url}/xapi/statements`
    lms.sendEventsTo({ xapi: { endpoint, user: 'lms', password: xapiPassword, actor } })
    await lms.complete(campus.enroll('ada', { username: 'ada.1815' }), course)
    await lms.cron()
    await processEvents(world.app, { system: 'statements' })
    expect(await count(campus, `completion WHERE found_by = 'event'`)).toBe(1)
  })
})
