// What `status` and `notices` say of recipients, and which of them they report as failing.

import { expect, test } from 'vitest'
import { isFailing, noticeSummaryLines, recipientLines } from '#src/extensions/notices/commands/notice-lines.ts'
import type { RecipientStatus } from '#src/extensions/notices/ledger/notice-messages.ts'

const now = new Date('2026-11-24T08:00:00Z')
const ago = (hours: number) => new Date(now.getTime() - hours * 3_600_000)
const status: RecipientStatus = {
  ...{ recipient: 'ops', delivered: 1, waiting: 0, givenUp: 0, tries: 0, failingSince: ago(90), problem: 'No.' },
  ...{ lastDeliveredAt: ago(1), lastGivenUpAt: null, lastGivenUpProblem: null },
}

test.each<[string, Partial<RecipientStatus>, boolean]>([
  ['accepts messages', { failingSince: null }, false],
  ['has a message that waits', { waiting: 1, lastDeliveredAt: null }, true],
  ['got its last message in part', {}, true],
  ['refused its last message', { lastDeliveredAt: ago(80), lastGivenUpAt: ago(1) }, true],
  ['got its last message in part some days ago, and none since', { lastDeliveredAt: ago(80) }, false],
])('a recipient who %s', (_, change, expected) => {
  expect(isFailing({ ...status, ...change }, now)).toBe(expected)
})

test('`status` names those who cannot be reached, beside the notices that are open', () => {
  const failing = { ...status, waiting: 1 }
  const notice = { kind: 'away' } as Parameters<typeof noticeSummaryLines>[0][number]
  const summary = { ...notice, kind: 'summary' }
  expect(noticeSummaryLines([notice, summary], [failing, { ...failing, recipient: 'registry' }], now)).toEqual([
    '1 notice open; messages to ops, registry cannot be delivered: `credsync notices` says more',
  ])
  expect(noticeSummaryLines([summary], [{ ...status, failingSince: null }], now)).toEqual([])
})

test('`notices` says what became of the messages to a recipient', () => {
  const lines = recipientLines([
    { ...status, waiting: 2, givenUp: 1 },
    { ...status, delivered: 0, lastDeliveredAt: null, failingSince: null },
  ])
  expect(lines).toEqual([
    'to ops: 1 message delivered, the last at 2026-11-24 07:00 UTC; 2 messages wait; 1 message refused and given up; failing since 2026-11-20 14:00 UTC: No.',
    'to ops: 0 messages delivered',
  ])
})
