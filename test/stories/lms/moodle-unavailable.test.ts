// A Moodle site that is unavailable or refuses calls: nothing is lost, no one gets two credentials, and Moodle is
// rarely called.

import { expect, test } from 'vitest'
import { pollLms } from '#jobs/lms/poll-lms.ts'
import { processEvents } from '#jobs/lms/process-events.ts'
import { type Campus, completedHook, completionWait, openCampus } from '#test/support/campus.ts'
import { describeWithDatabase } from '#test/support/database.ts'

const calls = ({ lms }: Campus) => lms.journal().filter(({ kind }) => kind === 'answered').length
const dueNow = async ({ world }: Campus) => {
  await world.app.database.query('UPDATE inbound_event SET due_at = clock_timestamp()')
  await world.app.database.query('UPDATE learning_system SET due_at = clock_timestamp()')
}

describeWithDatabase('a Moodle site that', () => {
  test('has no database loses no events that arrive in the meantime, and is rarely called', async () => {
    await using campus = await openCampus({ idle: true })
    const { app } = campus.world
    const ada = campus.enroll('ada')
    await campus.lms.complete(ada, campus.course)
    await app.ledger.learningSystems.register(['campus'])
    campus.lms.databaseDown(true)
    await campus.post(completedHook(ada, campus.course))
    await processEvents(app, { system: 'hooks' })
    await pollLms(app, { system: 'campus' })
    const callsBefore = calls(campus)
    for (let n = 0; n < 5; n++) await processEvents(app, { system: 'hooks' })
    expect(calls(campus)).toBe(callsBefore)
    expect(await app.ledger.inboundEvents.waiting()).toEqual([])
    expect((await app.ledger.learningSystems.statuses())[0]?.problem).toMatch(/Moodle/)
    campus.lms.databaseDown(false)
    await dueNow(campus)
    await campus.startWorker()
    await expect.poll(() => campus.profileOf(ada), completionWait).toMatchObject({ credstatus: 'issued' })
    expect(campus.world.sandbox.requests()).toHaveLength(1)
  })

  test('is unavailable for deliveries is tried three times, and then paused', async () => {
    await using campus = await openCampus({ idle: true })
    const { app } = campus.world
    await app.ledger.learningSystems.register(['campus'])
    const learners = ['ada', 'byron', 'clara', 'dora', 'emil'].map((name) => campus.enroll(name))
    for (const learner of learners) await campus.lms.complete(learner, campus.course)
    await pollLms(app, { system: 'campus' })
    campus.lms.maintenance(true)
    await campus.startWorker()
    await expect.poll(() => campus.logged.filter(({ name }) => name === 'target.away').length, completionWait).toBe(1)
    const { rows } = await app.database.query<{ tries: number }>('SELECT tries FROM delivery ORDER BY tries DESC')
    expect(rows.map(({ tries }) => tries)).toEqual([1, 1, 1, 0, 0])
    expect(await app.ledger.deliveries.waiting(app.learning.targets)).toEqual([])
    campus.lms.maintenance(false)
    await app.database.query('UPDATE delivery SET due_at = clock_timestamp()')
    for (const learner of learners)
      await expect.poll(() => campus.profileOf(learner), completionWait).toMatchObject({ credstatus: 'issued' })
    expect(campus.world.sandbox.requests()).toHaveLength(learners.length)
  })
})
