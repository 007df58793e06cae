// The check of written profiles has its own schedule, and an operator can request it.

import { expect, test } from 'vitest'
import { intake } from '#jobs/intake.ts'
import { detectDrift } from '#jobs/lms/detect-drift.ts'
import { type Campus, completionWait, openCampus } from '#test/support/campus.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { openRecordedLog } from '#test/support/recorded-log.ts'
import { requestProfileCheck } from '#test/support/request-profile-check.ts'

const listOf = (...names: string[]) =>
  ['email,First Name,Last Name', ...names.map((name) => `${name}@example.org,${name},Lovelace`), ''].join('\n')

async function issuedTo(campus: Campus, firstname: string): Promise<number> {
  const learner = campus.enroll(firstname)
  await campus.lms.complete(learner, campus.course)
  await campus.startWorker()
  const deliveryCounts = async () => (await campus.world.app.ledger.deliveries.counts())[0]
  await expect.poll(deliveryCounts, completionWait).toMatchObject({ verified: 1, pending: 0 })
  return learner
}

describeWithDatabase('written profiles are checked', () => {
  test('on schedule, even if nothing is polled', async () => {
    await using campus = await openCampus({ idle: true, every: '1d', sweep: '1s' })
    const ada = await issuedTo(campus, 'ada')
    const before = await campus.profileOf(ada)
    campus.lms.overwrite(ada, 'credurl', '')
    await expect.poll(() => campus.profileOf(ada), completionWait).toEqual(before)
    expect(campus.logged.filter(({ name }) => name === 'system.asked')).toHaveLength(1)
  })
})

describeWithDatabase('checked profiles show', () => {
  const clearAndCheck = async (campus: Campus, learner: number) => {
    const before = await campus.profileOf(learner)
    campus.lms.overwrite(learner, 'credurl', '')
    await requestProfileCheck(campus.world.app.database)
    await expect.poll(() => campus.profileOf(learner), completionWait).toEqual(before)
    return before
  }
  const deliveries = async ({ world }: Campus) =>
    (await world.app.database.query('SELECT state, wanted FROM delivery ORDER BY id')).rows

  test('a credential that came from a file before its learner completed the course', async () => {
    await using campus = await openCampus({ idle: true })
    await campus.world.receive('list.csv', 'email,First Name,Last Name\nada@example.org,ada,Lovelace\n')
    const ada = campus.enroll('ada')
    await campus.startWorker()
    await expect.poll(() => campus.states(), completionWait).toEqual(['issued'])
    await campus.lms.complete(ada, campus.course)
    await campus.world.app.database.query('UPDATE learning_system SET due_at = now(), asked_at = NULL')
    await expect.poll(() => deliveries(campus), completionWait).toEqual([{ state: 'verified', wanted: 'issued' }])
    expect(await clearAndCheck(campus, ada)).toMatchObject({ credstatus: 'issued' })
  })

  test('a corrected credential, and the earlier one is not reported as overwritten', async () => {
    await using campus = await openCampus({ idle: true })
    const ada = await issuedTo(campus, 'ada')
    await campus.runCli('correct', 'ada@example.org', '--set', 'Last Name=King', '--yes', '--by', 'me')
    const both = [
      { state: 'verified', wanted: 'revoked' },
      { state: 'verified', wanted: 'issued' },
    ]
    await expect.poll(() => deliveries(campus), completionWait).toEqual(both)
    // The revocation was delivered last: Moodle may have been unavailable until both deliveries were due.
    await campus.world.app.database.query(
      `UPDATE delivery SET verified_at = now() + interval '1 minute' WHERE wanted = 'revoked'`,
    )
    expect(await clearAndCheck(campus, ada)).toMatchObject({ credstatus: 'issued' })
    await expect.poll(() => deliveries(campus), completionWait).toEqual(both)
    // The same holds while the newer credential still lacks its link.
    await campus.world.app.database.query(`UPDATE delivery SET state = 'incomplete' WHERE wanted = 'issued'`)
    await requestProfileCheck(campus.world.app.database)
    const pendingChecks = () => campus.world.app.database.query(`SELECT FROM learning_system WHERE look_at < now()`)
    await expect.poll(async () => (await pendingChecks()).rowCount, completionWait).toBe(0)
    expect((await deliveries(campus))[0]).toEqual(both[0])
    expect(campus.logged.filter(({ name, outcome }) => name === 'delivery.drift' && outcome === 'left')).toEqual([])
  })
})

describeWithDatabase('a check of written profiles whose site becomes unavailable', () => {
  test('is retried after ten minutes, and continues with those whom it did not reach', async () => {
    const log = openRecordedLog()
    await using campus = await openCampus({ idle: true, appOptions: { log } })
    const { app } = campus.world
    const learners = ['ada', 'byron'].map((name) => campus.enroll(name))
    await intake(app, { runId: await campus.world.receive('list.csv', listOf('ada', 'byron')) })
    await app.database.query(
      `WITH row AS (SELECT id, run_id, row_number, $1::int[] AS learners FROM issuance),
         found AS (INSERT INTO completion (environment, system, pipeline, learner, course, completed_at, found_by, cells, state, run_id, row_number)
           SELECT 'development', 'campus', 'spring', learners[id], 'FIRE-1', now(), 'poll', '{}', 'taken', run_id, row_number FROM row)
       INSERT INTO delivery (issuance_id, target, wanted, state, verified_at, looked_at)
       SELECT id, 'moodle-profile campus', 'issued', 'verified', now(), now() - interval '1 day' FROM row`,
      [learners],
    )
    await app.ledger.learningSystems.register(['campus'])
    await app.database.query('UPDATE learning_system SET look_at = now()')
    const check = () => detectDrift(app, { system: 'campus' })
    const schedule = async () =>
      (
        await app.database.query<{ seconds: number; isRunning: boolean }>(
          `SELECT extract(epoch FROM look_at - now())::float AS seconds, look_began_at IS NOT NULL AS "isRunning" FROM learning_system`,
        )
      ).rows[0]
    campus.lms.maintenance(true)
    expect(await check()).toEqual({ kind: 'done' })
    expect(log.fieldsOf('system.away')).toEqual([{ system: 'campus', error: 'MoodleAwayError', code: 'HTTP 503' }])
    const { seconds = 0, isRunning } = (await schedule()) ?? {}
    expect([seconds > 570, seconds <= 600, isRunning]).toEqual([true, true, true])
    expect(await app.ledger.drift.due('campus', 'moodle-profile campus', 9)).toHaveLength(2)

    campus.lms.maintenance(false)
    await app.database.query('UPDATE learning_system SET look_at = now()')
    expect(await check()).toMatchObject({ kind: 'snooze' })
    // Both profiles are empty.
    expect(log.fieldsOf('delivery.drift').map(({ outcome }) => outcome)).toEqual(['delivered again', 'delivered again'])
    expect(await check()).toEqual({ kind: 'done' })
    expect((await schedule())?.isRunning).toBe(false)
  })
})
