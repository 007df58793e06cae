// The metrics of work beside what they must not count: calls of other outcomes, older scans, revocations that are over.

import { expect, test } from 'vitest'
import { readNoticeMetrics } from '#src/ledger/metrics/notice-metrics.ts'
import { readWorkMetrics } from '#src/ledger/metrics/work-metrics.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { recipients } from '#test/support/domain-objects.ts'
import { openTestLedger, type TestLedger } from '#test/support/test-ledger.ts'

const hour = 3_600
const about = (hours: number) => expect.closeTo(hours * hour, -2)
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
  })
})
