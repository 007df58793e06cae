// A Moodle that is away, or says no: what came meanwhile is kept, nobody is issued twice, and it is not asked all the time.

import { expect, test } from 'vitest'
import { askSystem } from '#jobs/ask-system.ts'
import { judge } from '#jobs/judge.ts'
import { type Campus, completedHook, openCampus, soon } from './support/campus.ts'
import { describeWithDatabase } from './support/database.ts'

const calls = ({ lms }: Campus) => lms.journal().filter(({ kind }) => kind === 'answered').length
const dueNow = async ({ world }: Campus) => {
  await world.app.database.query('UPDATE delivery SET due_at = clock_timestamp()')
  await world.app.database.query('UPDATE learning_system SET due_at = clock_timestamp()')
}

const faults: [string, (campus: Campus, on: boolean) => void][] = [
  ['answers a page of maintenance', ({ lms }, on) => lms.maintenance(on)],
  ['has no database', ({ lms }, on) => lms.databaseDown(on)],
]

describeWithDatabase('a Moodle that', () => {
  test.each(faults)('%s loses nothing that came meanwhile, and is asked seldom', async (_, fail) => {
    await using campus = await openCampus({ idle: true })
    const { app } = campus.world
    const ada = campus.enrol('ada')
    await campus.lms.complete(ada, campus.course)
    await app.ledger.learningSystems.watch(['campus'])
    fail(campus, true)
    await campus.post(completedHook(ada, campus.course))
    await judge(app, { system: 'hooks' })
    await askSystem(app, { system: 'campus' })
    const before = calls(campus)
    for (let n = 0; n < 5; n++) await judge(app, { system: 'hooks' })
    expect(calls(campus)).toBe(before)
    expect(await app.ledger.deliveries.waiting()).toEqual([])
    expect((await app.ledger.learningSystems.standing())[0]?.problem).toMatch(/Moodle/)
    fail(campus, false)
    await dueNow(campus)
    await campus.work()
    await expect.poll(() => campus.profileOf(ada), soon).toMatchObject({ credstatus: 'issued' })
    expect(campus.world.sandbox.requests()).toHaveLength(1)
  })

  test('is away when outcomes are told is tried three times, and then left alone', async () => {
    await using campus = await openCampus({ idle: true })
    const { app } = campus.world
    await app.ledger.learningSystems.watch(['campus'])
    const learners = ['ada', 'byron', 'clara', 'dora', 'emil'].map((name) => campus.enrol(name))
    for (const learner of learners) await campus.lms.complete(learner, campus.course)
    await askSystem(app, { system: 'campus' })
    campus.lms.maintenance(true)
    await campus.work()
    await expect.poll(() => campus.logged.filter(({ name }) => name === 'target.away').length, soon).toBe(1)
    const { rows } = await app.database.query<{ tries: number }>('SELECT tries FROM tell ORDER BY tries DESC')
    expect(rows.map(({ tries }) => tries)).toEqual([1, 1, 1, 0, 0])
    expect(await app.ledger.tells.waiting(app.learning.targets)).toEqual([])
    campus.lms.maintenance(false)
    await app.database.query('UPDATE tell SET due_at = clock_timestamp()')
    for (const learner of learners)
      await expect.poll(() => campus.profileOf(learner), soon).toMatchObject({ credstatus: 'issued' })
    expect(campus.world.sandbox.requests()).toHaveLength(learners.length)
  })

  test('does not know its token any more keeps the delivery and says so', async () => {
    await using campus = await openCampus({ idle: true, moodle: { token: 'revoked-by-somebody' } })
    const { ledger } = campus.world.app
    await ledger.learningSystems.watch(['campus'])
    await campus.post(completedHook(3, campus.course))
    await judge(campus.world.app, { system: 'hooks' })
    await askSystem(campus.world.app, { system: 'campus' })
    const [standing] = await ledger.learningSystems.standing()
    expect(standing?.problem).toMatch(/token/)
    expect(JSON.stringify(standing)).not.toContain('revoked-by-somebody')
    const { rows } = await campus.world.app.database.query('SELECT state FROM delivery')
    expect(rows).toEqual([{ state: 'new' }])
  })
})
