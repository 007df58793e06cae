// The decisions after a revocation call and after a lookup in the report.

import { describe, expect, test } from 'vitest'
import { afterLookup, afterRevoking } from '#src/issuing/reconcile/decide-revocation.ts'

const hour = 3_600_000
const callEnded = new Date('2026-03-01T10:00:00Z')

describe('the outcome of a revocation call', () => {
  test.each([
    ['accepted', null, 'accepted', 0],
    ['unknown', null, 'unconfirmed', 0],
    ['refused', null, 'refused', 0],
    ['too_large', null, 'refused', 0],
    // These were certainly not applied and are sent again automatically.
    ['unauthorised', null, 'wanted', 60_000],
    ['not_sent', null, 'wanted', 5_000],
    ['throttled', null, 'wanted', 1_000],
    ['throttled', 7_000, 'wanted', 7_000],
  ] as const)('%s (retry after %s ms) leads to the state %s', (outcome, retryAfterMs, state, waitMs) => {
    expect(afterRevoking({ class: outcome, retryAfterMs })).toEqual({ state, waitMs })
  })
})

describe('a revocation in the report', () => {
  test.each([
    // A revocation date is conclusive, whatever the outcome of the call was and whoever revoked the credential.
    ['unconfirmed', 'revoked', 0, 'seen', false],
    ['accepted', 'revoked', 0, 'seen', false],
    ['refused', 'revoked', 0, 'seen', false],
    // During the grace period, nothing else is conclusive.
    ['unconfirmed', 'valid', hour - 1, null, false],
    ['unconfirmed', 'nothing', hour - 1, null, false],
    ['accepted', 'valid', hour - 1, null, false],
    // After the grace period, a credential that is shown without a date was not revoked. If it is not shown, this
    // proves nothing.
    ['unconfirmed', 'valid', hour, 'not_applied', false],
    ['unconfirmed', 'nothing', hour, null, true],
    ['accepted', 'valid', hour, null, true],
    ['refused', 'valid', hour, null, false],
  ] as const)('that is %s and shown as %s after %i ms changes to %s', (state, shown, ms, to, doubtful) => {
    const decision = afterLookup({ state, overAt: callEnded, readAt: new Date(callEnded.getTime() + ms) }, shown, hour)
    expect(decision.to).toBe(to)
    expect(decision.doubt !== null).toBe(doubtful)
  })
})
