// The metrics of messages to recipients: for how long they have failed, or reached only some addresses.

import { expect, test } from 'vitest'
import { readNoticeMetrics } from '#src/extensions/notices/ledger/notice-metrics.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { openTestLedger } from '#test/support/test-ledger.ts'

describeWithDatabase('messages to a recipient', () => {
  test.each<[string, string, number]>([
    ['wait and were tried in vain', `1, '5 hours', NULL, NULL`, 5],
    ['wait and were not tried', '0, NULL, NULL, NULL', 0],
    ['reach all addresses', `0, NULL, '1 hour', NULL`, 0],
    ['reach some addresses', `0, '5 hours', '1 hour', NULL`, 5],
    ['were given up', `2, '5 hours', NULL, '1 hour'`, 5],
    ['reached some addresses three days ago', `0, '80 hours', '72 hours', NULL`, 0],
  ])('that %s have failed for as long', async (_, message, hours) => {
    await using ledger = await openTestLedger()
    await ledger.database.query(
      `INSERT INTO notice_message (environment, recipient, words, created_at, due_at, tries, failing_since, delivered_at, given_up_at)
       SELECT 'development', 'ops', '{}', now() - interval '9 days', now(), tries, now() - failing::interval, now() - delivered::interval, now() - given_up::interval
       FROM (VALUES (${message})) m (tries, failing, delivered, given_up)`,
    )
    const { messages } = await readNoticeMetrics(ledger.database, 'development')
    expect(messages.map(({ recipient, failingS }) => [recipient, Math.round(failingS / 3_600)])).toEqual([
      ['ops', hours],
    ])
  })
})
