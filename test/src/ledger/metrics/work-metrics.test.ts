// The metrics of work beside what they must not count: calls of other outcomes, older scans, revocations that are over.

import { expect, test } from 'vitest'
import { readWholeMetrics } from '#src/app/whole-metrics.ts'
import { readLearningMetrics } from '#src/extensions/lms/ledger/learning-metrics.ts'
import { readNoticeMetrics } from '#src/extensions/notices/ledger/notice-metrics.ts'
import { readWorkMetrics } from '#src/ledger/metrics/work-metrics.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { aCourse, recipients } from '#test/support/domain-objects.ts'
import { openTestLedger, type TestLedger } from '#test/support/test-ledger.ts'
import { withoutTriggers } from '#test/support/without-triggers.ts'

const hour = 3_600
const about = (hours: number) => expect.closeTo(hours * hour, -2)
const allOf = ({ database }: TestLedger) => readWholeMetrics(database, 'development')
const workOf = ({ database }: TestLedger) => readWorkMetrics(database, 'development')

describeWithDatabase('the metrics of the report', () => {
  /** Three accepted calls of one row each, which ended one, two and three hours ago, the earliest first. */
  async function openCalls() {
    const testLedger = await openTestLedger()
    await testLedger.publish(recipients(4))
    const calls = [await testLedger.send(1), await testLedger.send(1), await testLedger.send(1)]
    for (const [index, call] of calls.entries()) {
      await testLedger.answer(call, { class: 'accepted' })
      await testLedger.database.query(
        'UPDATE attempt SET ended_at = ended_at - make_interval(hours => $2) WHERE id = $1',
        [...[call, 3 - index]],
      )
    }
    return { testLedger, calls }
  }

  test('show how late the call was that the report showed last, not the call that was made last', async () => {
    const { testLedger, calls } = await openCalls()
    await using _ = testLedger
    const show = (call: number | undefined, hoursAgo: number) =>
      testLedger.database.query(`UPDATE attempt SET shown_at = now() - $2 * interval '1 h' WHERE id = $1`, [
        call,
        hoursAgo,
      ])
    await show(calls[0], 0.25)
    await show(calls[1], 0.5)
    expect((await workOf(testLedger)).report.lagS).toEqual(about(2.75))
  })

  test('show for how long the oldest accepted call with a waiting row has not been seen', async () => {
    const { testLedger, calls } = await openCalls()
    await using _ = testLedger
    const { database } = testLedger
    const unseen = async () => (await workOf(testLedger)).report.unseenS
    expect(await unseen()).toEqual(about(3))
    await database.query(`UPDATE attempt SET outcome = 'unknown' WHERE id = $1`, [calls[0]])
    expect(await unseen()).toEqual(about(2))
    for (const state of ['in_progress', 'failed'])
      await database.query(
        'UPDATE issuance SET state = $2 WHERE id IN (SELECT issuance_id FROM attempt_item WHERE attempt_id = $1)',
        [calls[1], state],
      )
    expect(await unseen()).toEqual(about(1))
  })

  test('show when the last complete scan ended', async () => {
    await using testLedger = await openTestLedger()
    for (const hoursAgo of [5, 2]) {
      await testLedger.scan()
      await testLedger.database.query(
        `UPDATE scan SET started_at = now() - make_interval(hours => $1), ended_at = now() - make_interval(hours => $1)
         WHERE started_at > now() - interval '1 h'`,
        [hoursAgo],
      )
    }
    expect((await workOf(testLedger)).report.readAgoS).toEqual(about(2))
  })
})

describeWithDatabase('the metrics of work', () => {
  test('show no due revocation that is over, and no watch before its first check', async () => {
    await using testLedger = await openTestLedger()
    const { database } = testLedger
    await database.query(
      `INSERT INTO revocation (environment, credential_id, by, state) SELECT 'development', state, 'me', state FROM unnest('{sending,seen,refused,not_applied}'::text[]) state`,
    )
    await database.query(
      `INSERT INTO revocation (environment, credential_id, by, state, due_at) VALUES ('development', 'later', 'me', 'wanted', now() + interval '1 h')`,
    )
    await database.query(
      `INSERT INTO credential_watch (environment, due_at) VALUES ('development', now() + interval '1 h')
       ON CONFLICT (environment) DO UPDATE SET due_at = excluded.due_at, ended_at = NULL`,
    )
    expect(await workOf(testLedger)).toMatchObject({ due: { reconcile: 0 }, watch: null })
    await database.query(
      `INSERT INTO revocation (environment, credential_id, by, state) VALUES ('development', 'C', 'me', 'wanted')`,
    )
    expect(await workOf(testLedger)).toMatchObject({ due: { reconcile: 1 } })
  })

  test('show the open notices, and the failed tries of messages that wait', async () => {
    await using testLedger = await openTestLedger()
    const { database } = testLedger
    await database.query(
      `INSERT INTO notice (environment, key, kind, facts, since, opened_at, reminded_at, recovered_at)
       SELECT 'development', n::text, 'sending-stopped', '{}', now(), now(), now(), CASE WHEN n > 2 THEN now() END FROM generate_series(1, 5) n`,
    )
    await database.query(
      `INSERT INTO notice_message (environment, recipient, words, created_at, due_at, tries, delivered_at, given_up_at)
       VALUES ('development', 'ops', '{}', now(), now(), 2, NULL, NULL), ('development', 'ops', '{}', now(), now(), 4, now(), NULL),
              ('development', 'ops', '{}', now(), now(), 8, NULL, now())`,
    )
    const { open, messages } = await readNoticeMetrics(database, 'development')
    expect(open).toEqual([{ kind: 'sending-stopped', notices: 2 }])
    expect(messages).toMatchObject([{ delivered: 1, givenUp: 1, waiting: 1, tries: 2 }])
    await database.query('DELETE FROM notice_message WHERE tries = 2')
    expect((await readNoticeMetrics(database, 'development')).messages).toMatchObject([{ waiting: 0, tries: 0 }])
  })

  test('show nothing of archives and pauses that have nothing to do', async () => {
    await using testLedger = await openTestLedger()
    const { database, ledger } = testLedger
    await testLedger.publish(recipients(2), { pipeline: 'autumn' })
    await testLedger.send(1, 'autumn')
    await withoutTriggers(
      database,
      `UPDATE issuance SET state = 'issued', credential_id = 'C-' || id, archive_due_at = now() - interval '1 h'`,
    )
    await ledger.archives.watch([{ pipeline: 'spring', folder: '/archive' }])
    await ledger.courses.pause(aCourse, 'not approved', -60_000)
    expect(await allOf(testLedger)).toMatchObject({
      ...{ due: { archive: 0 }, pausedCourses: 0, sendingStopped: false },
      archives: [{ pipeline: 'spring', waiting: 0 }],
    })
    await ledger.archives.watch([{ pipeline: 'autumn', folder: '/archive' }])
    expect(await allOf(testLedger)).toMatchObject({
      due: { archive: 1 },
      archives: [{ pipeline: 'autumn', waiting: 2 }],
    })
  })

  test('show only completions and systems that still have something to do', async () => {
    await using testLedger = await openTestLedger()
    const { database, ledger } = testLedger
    const completion = { learner: '3', course: 'F', completedAt: new Date(0), cells: {} }
    await ledger.completions.ingest({ system: 'campus', pipeline: 'spring', renewAfterMs: null }, [completion], 'poll')
    await ledger.completions.createRun('spring')
    await ledger.learningSystems.register(['campus', 'former'])
    await ledger.learningSystems.register(['campus'])
    expect(await readLearningMetrics(database, 'development')).toMatchObject({
      ...{ completions: [], systems: [{ system: 'campus' }] },
    })
  })
})

describeWithDatabase('the metrics of erasures', () => {
  test('count those that somebody asked for and that are open, with the age of the oldest', async () => {
    await using testLedger = await openTestLedger()
    expect(await allOf(testLedger)).toMatchObject({ erasures: { open: 0, oldestS: 0 } })
    await testLedger.database.query(
      `INSERT INTO erasure (environment, kind, pipeline, requested_at, requested_by, reason, ended_at) VALUES
         ('development', 'request', NULL, now() - interval '9 h', 'ada', 'a letter', now()),
         ('development', 'request', NULL, now() - interval '2 h', 'ada', 'a letter', NULL),
         ('development', 'request', NULL, now() - interval '1 h', 'ada', 'a letter', NULL),
         ('production', 'request', NULL, now() - interval '8 h', 'ada', 'a letter', NULL),
         ('development', 'retention', 'spring', now() - interval '7 h', 'retentionDays', 'old', NULL)`,
    )
    expect(await allOf(testLedger)).toMatchObject({ erasures: { open: 2, oldestS: about(2) } })
  })
})
