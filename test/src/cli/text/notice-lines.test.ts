// Which recipients `status` and `notices` report as failing.

import { expect, test } from 'vitest'
import { isFailing } from '#src/cli/text/notice-lines.ts'
import type { RecipientStatus } from '#src/ledger/notices/notice-messages.ts'

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
