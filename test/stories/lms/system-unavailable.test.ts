// While a learning system is unavailable, commands and the health page show which one, since when and why.

import { expect, test } from 'vitest'
import { registerLms } from '#jobs/lms/learning-jobs.ts'
import { type Campus, completedHook, completionWait, openCampus } from '#test/support/campus.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { ltiTool } from '#test/support/lti-campus-options.ts'
import { requestRevocation } from '#test/support/revocation-steps.ts'

const unavailableNotice = /campus.*unavailable since \d{4}-\d\d-\d\d \d\d:\d\d UTC: .*(maintenance|503)/i

async function notices({ web }: Campus): Promise<string> {
  const answer = await fetch(`${web.url}/health/ready`)
  const { ready, notices = [] } = (await answer.json()) as { ready: boolean; notices?: string[] }
  expect([answer.status, ready]).toEqual([200, true])
  return notices.join('\n')
}
const systemStatuses = ({ world }: Campus) => world.app.ledger.learningSystems.statuses()

describeWithDatabase('a Moodle site in maintenance', () => {
  test('is shown by events and /health/ready, with time and reason, until it is available again', async () => {
    await using campus = await openCampus({ every: '300ms' })
    await expect.poll(async () => (await systemStatuses(campus))[0]?.polledAt, completionWait).toBeTruthy()
    expect(await notices(campus)).toBe('')
    campus.lms.maintenance(true)
    await expect.poll(async () => (await systemStatuses(campus))[0]?.unavailableSince, completionWait).toBeTruthy()
    const since = (await systemStatuses(campus))[0]?.unavailableSince
    const events = await campus.runCli('events')
    expect([events.code, events.stdout]).toEqual([3, expect.stringMatching(unavailableNotice)])
    await expect.poll(() => notices(campus), completionWait).toMatch(unavailableNotice)
    await campus.world.app.database.query('UPDATE learning_system SET due_at = now()')
    await expect
      .poll(
        async () =>
          (await campus.world.app.database.query('SELECT tries FROM learning_system WHERE tries > 1')).rowCount,
        completionWait,
      )
      .toBe(1)
    expect((await systemStatuses(campus))[0]?.unavailableSince).toEqual(since)
    campus.lms.maintenance(false)
    await campus.world.app.database.query('UPDATE learning_system SET due_at = now()')
    await expect.poll(async () => (await systemStatuses(campus))[0]?.unavailableSince, completionWait).toBeNull()
    await expect.poll(() => notices(campus), completionWait).toBe('')
  })

  test('is also shown if it is detected while an event is being checked, and is retried soon, whatever its schedule', async () => {
    await using campus = await openCampus({ every: '1d' })
    const { database } = campus.world.app
    await expect.poll(async () => (await systemStatuses(campus))[0]?.polledAt, completionWait).toBeTruthy()
    campus.lms.maintenance(true)
    await campus.post(completedHook(campus.enroll('ada'), campus.course))
    await expect.poll(async () => (await systemStatuses(campus))[0]?.unavailableSince, completionWait).toBeTruthy()
    expect((await campus.runCli('events')).stdout).toMatch(unavailableNotice)
    const { rows } = await database.query<{ soon: boolean }>(
      `SELECT due_at < now() + interval '1 minute' AS soon FROM learning_system`,
    )
    expect(rows).toEqual([{ soon: true }])
    campus.lms.maintenance(false)
    await database.query('UPDATE learning_system SET due_at = now()')
    await expect.poll(async () => (await systemStatuses(campus))[0]?.unavailableSince, completionWait).toBeNull()
  })
})

describeWithDatabase('deliveries postponed for hours while a Moodle site was unavailable', () => {
  test('are sent when a worker starts and the Moodle site is available again', async () => {
    await using campus = await openCampus({ every: '1d' })
    await campus.lms.complete(campus.enroll('ada'), campus.course)
    const { app } = campus.world
    const counts = async () => (await app.ledger.deliveries.counts())[0]
    await expect.poll(counts, completionWait).toMatchObject({ verified: 1 })
    campus.lms.maintenance(true)
    await requestRevocation(campus.world, 1)
    await expect.poll(async () => (await systemStatuses(campus))[0]?.unavailableSince, completionWait).toBeTruthy()
    await app.database.query(`UPDATE delivery SET due_at = now() + interval '5 hours'`)
    await app.database.query(`UPDATE learning_system SET due_at = now() + interval '5 hours'`)
    campus.lms.maintenance(false)
    await registerLms(app)
    await expect.poll(counts, completionWait).toMatchObject({ verified: 1, pending: 0 })
  })
})

describeWithDatabase('a platform that accepts scores', () => {
  test('is shown while it is unavailable, although it is never polled, until it accepts a score', async () => {
    await using campus = await openCampus({ every: '1d', ...ltiTool })
    const ada = campus.enroll('ada')
    await campus.lms.complete(ada, campus.course)
    const { database, ledger } = campus.world.app
    const counts = async () => (await ledger.deliveries.counts())[0]
    await expect.poll(counts, completionWait).toMatchObject({ verified: 1 })
    campus.lms.maintenance(true)
    await requestRevocation(campus.world, 1)
    const unavailableSince = async () =>
      (await systemStatuses(campus)).find(({ system }) => system === 'gradebook')?.unavailableSince
    await expect.poll(unavailableSince, completionWait).toBeTruthy()
    expect((await campus.runCli('events')).stdout).toMatch(/system gradebook: unavailable since/)
    expect(await ledger.learningSystems.take()).not.toContain('gradebook')
    campus.lms.maintenance(false)
    await database.query('UPDATE delivery SET due_at = now()')
    await expect.poll(counts, completionWait).toMatchObject({ verified: 1, pending: 0 })
    await expect.poll(unavailableSince, completionWait).toBeNull()
  })
})
