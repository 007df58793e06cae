// What an answer to an invitation means for the rows of its batch. Pure; the table in the test is the specification.

import type { Disposal } from '#src/ledger/outcomes.ts'

export type OutcomeClass = 'not_sent' | 'throttled' | 'too_large' | 'refused' | 'accepted' | 'unknown'

export interface SendingOutcome {
  class: OutcomeClass
  status: number | null
  /** The service's own words, already free of personal data. */
  words: string
  /** The service refused our keys (401), which it does before it looks at a request. */
  authRefused: boolean
  retryAfterMs: number | null
}

/** How long rows wait that were provably not taken, when the service does not say: long enough not to hammer a service in trouble. */
const waitNotSentMs = 5_000
const waitThrottledMs = 1_000
const waitKeysMs = 60_000

/** @param size rows in the batch */
export function afterSending(outcome: SendingOutcome, size: number): Disposal {
  const backToPending = { road: ['unconfirmed', 'pending'] as const, closed: true, batchLimit: null }
  if (outcome.class === 'accepted')
    return { road: ['requested'], reason: null, waitMs: 0, closed: true, batchLimit: null }
  if (outcome.class === 'not_sent')
    return { ...backToPending, reason: 'the service could not be reached; it is tried again', waitMs: waitNotSentMs }
  if (outcome.class === 'throttled')
    return {
      ...backToPending,
      reason: 'the service asked for patience (429)',
      waitMs: outcome.retryAfterMs ?? waitThrottledMs,
    }
  if (outcome.class === 'too_large' && size > 1)
    return {
      ...backToPending,
      reason: `the service calls ${size} recipients too large; smaller batches follow`,
      waitMs: 0,
      batchLimit: Math.floor(size / 2),
    }
  if (outcome.class === 'refused' && outcome.authRefused)
    return { ...backToPending, reason: 'the service refuses our keys (401)', waitMs: waitKeysMs }
  if (outcome.class === 'refused' && size > 1)
    return {
      road: ['unconfirmed'],
      reason: `the service refused the batch: ${outcome.words}`,
      waitMs: 0,
      closed: false,
      batchLimit: null,
    }
  // One row alone, refused in words (or too large even alone): there is nobody else to blame.
  if (outcome.class === 'refused' || outcome.class === 'too_large')
    return {
      road: ['failed'],
      reason: `the service refused it: ${outcome.words}`,
      waitMs: 0,
      closed: true,
      batchLimit: null,
    }
  return {
    road: ['unconfirmed'],
    reason: 'the outcome of the call is unknown; the report is asked',
    waitMs: 0,
    closed: false,
    batchLimit: null,
  }
}
