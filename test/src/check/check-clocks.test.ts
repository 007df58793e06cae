// A clock of this machine that differs from the service's.

import { expect, test } from 'vitest'
import { checkServiceClock } from '#src/check/check-clocks.ts'

test.each([
  [61_000, "this machine's clock is 61 s behind the service's clock"],
  [-61_000, "this machine's clock is 61 s ahead of the service's clock"],
])('a service whose clock is %i ms from ours is a fault', (offsetMs, sentence) => {
  expect(checkServiceClock(offsetMs)).toMatchObject({ ok: false, what: expect.stringContaining(sentence) })
})

test.each([60_000, -60_000, 0, null])('an offset of %j ms is not a fault', (offsetMs) => {
  expect(checkServiceClock(offsetMs)).toMatchObject({ ok: true })
})
