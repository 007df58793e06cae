import { describe, expect, test } from 'vitest'
import { afterRevoking, whenLooked } from '#src/reconcile/decide-revocation.ts'

const hour = 3_600_000
const over = new Date('2026-03-01T10:00:00Z')

describe('the answer to a revocation', () => {
  test.each([
    ['accepted', false, null, 'accepted', 0],
    ['unknown', false, null, 'unconfirmed', 0],
    ['refused', false, null, 'refused', 0],
    ['too_large', false, null, 'refused', 0],
    // Surely not applied: it is sent again by itself.
    ['refused', true, null, 'wanted', 60_000],
    ['not_sent', false, null, 'wanted', 5_000],
    ['throttled', false, null, 'wanted', 1_000],
    ['throttled', false, 7_000, 'wanted', 7_000],
  ] as const)('%s (keys refused: %s, wait %s) makes it %s', (said, authRefused, retryAfterMs, state, waitMs) => {
    expect(afterRevoking({ class: said, authRefused, retryAfterMs })).toEqual({ state, waitMs })
  })
})

describe('the report about a revocation', () => {
  test.each([
    // A date of revocation settles it, whatever the answer was and whoever did it.
    ['unconfirmed', 'revoked', 0, 'seen', false],
    ['accepted', 'revoked', 0, 'seen', false],
    ['refused', 'revoked', 0, 'seen', false],
    // Within the grace nothing else means anything.
    ['unconfirmed', 'valid', hour - 1, null, false],
    ['unconfirmed', 'nothing', hour - 1, null, false],
    ['accepted', 'valid', hour - 1, null, false],
    // After it, a credential that is shown without a date was not revoked; one that is not shown proves nothing.
    ['unconfirmed', 'valid', hour, 'not_applied', false],
    ['unconfirmed', 'nothing', hour, null, true],
    ['accepted', 'valid', hour, null, true],
    ['refused', 'valid', hour, null, false],
  ] as const)('%s, shown as %s after %i ms: goes to %s', (state, shown, ms, to, doubtful) => {
    const decision = whenLooked({ state, overAt: over, readAt: new Date(over.getTime() + ms) }, shown, hour)
    expect(decision.to).toBe(to)
    expect(decision.doubt !== null).toBe(doubtful)
  })
})
