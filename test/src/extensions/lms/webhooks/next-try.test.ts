// When an outgoing event is tried again that was not accepted.

import { expect, test } from 'vitest'
import { waitBeforeNextTry } from '#src/extensions/lms/webhooks/next-try.ts'

const now = new Date('2026-11-21T12:00:00Z')
const hour = 3_600_000

test.each<[string, number, string | undefined, number | null]>([
  ['the first wait is short', 1, undefined, 5_000],
  ['the second is longer', 2, undefined, 300_000],
  ['it is as long as requested', 1, '120', 120_000],
  ['it lasts until the date', 1, 'Sat, 21 Nov 2026 13:00:00 GMT', hour],
  ['Retry-After never shortens it', 3, '1', 1_800_000],
  ['Retry-After never extends it beyond a day', 1, '999999999', 24 * hour],
  ['an invalid Retry-After is ignored', 1, 'soon', 5_000],
  ['the tenth try is the last', 10, undefined, null],
])('%s', (_, attempt, retryAfter, waitMs) => {
  expect(waitBeforeNextTry(attempt, retryAfter, now, () => 0)).toBe(waitMs)
})

test('ten tries take a little over three days', () => {
  const waits = Array.from({ length: 9 }, (_, index) => waitBeforeNextTry(index + 1, undefined, now, () => 0) ?? 0)
  expect(waits.reduce((sum, each) => sum + each)).toBe(((75 * 60 + 35) * 60 + 5) * 1_000)
})

test('a random delay spreads the tries and never shortens a wait', () => {
  expect(waitBeforeNextTry(2, undefined, now, () => 0.5)).toBe(315_000)
})
