// What an answer to an invitation means for the rows of its batch. Pure; the table in the test is the specification.

import { type Decision, type Step, take } from './decision.ts'

export type OutcomeClass = 'not_sent' | 'throttled' | 'too_large' | 'refused' | 'accepted' | 'unknown'

export interface AnsweredCall {
  class: OutcomeClass
  status: number | null
  /** The service's own words, already free of personal data. */
  words: string
  /** The service refused our keys (401), which it does before it looks at a request. */
  authRefused: boolean
  retryAfterMs: number | null
  /** Why the course itself can't issue right now, where that was asked after a refusal; a sentence. */
  courseTrouble?: string | null
  /** Bytes of the call where images travelled in it. */
  imageBytes?: number | null
}

/** How long rows wait that were provably not taken, when the service does not say: long enough not to hammer a service in trouble. */
const waitNotSentMs = 5_000
const waitThrottledMs = 1_000
const waitKeysMs = 60_000

/** Statuses by which a service judges what it was sent. Others (403, 404, 405 …) are about the call, and no recipient is to blame. */
const judgesContent = [400, 409, 422]

/** @param size rows in the batch */
export function afterSending(answer: AnsweredCall, size: number): Decision {
  if (answer.class === 'accepted') return take([step(answer, 'requested', null)])
  if (answer.class === 'not_sent')
    return backToPending(
      answer,
      'the service could not be reached; it is tried again',
      answer.retryAfterMs ?? waitNotSentMs,
    )
  if (answer.class === 'throttled')
    return backToPending(answer, 'the service asked for patience (429)', answer.retryAfterMs ?? waitThrottledMs)
  if (answer.class === 'too_large' && size > 1) {
    const why = `the service calls ${size} recipients too large; smaller batches follow`
    return { ...backToPending(answer, why, 0), batchLimit: Math.floor(size / 2) }
  }
  if (answer.class === 'refused' && answer.authRefused)
    return backToPending(answer, 'the service refuses our keys (401)', waitKeysMs)
  if (answer.class === 'refused') return afterRefusal(answer, size)
  // One row alone and too large: there is nobody else to blame.
  if (answer.class === 'too_large') return take([step(answer, 'failed', tooLargeAlone(answer))])
  return take([step(answer, 'unconfirmed', 'the outcome of the call is unknown; the report is asked')])
}

/** The service's words are about the number of recipients, mostly; of one with an image that would be no advice. */
function tooLargeAlone({ imageBytes, words }: AnsweredCall): string {
  if (!imageBytes) return `the service refused it: ${words}`
  const size = (imageBytes / 1_000_000).toFixed(1)
  return `the service calls it too large: this row alone makes a call of ${size} MB, most of it its image. Hand the row in again with a smaller image, and then send it with \`credsync retry\``
}

function afterRefusal(answer: AnsweredCall, size: number): Decision {
  if (answer.courseTrouble)
    return take([step(answer, 'unconfirmed', `the service refused the batch, and ${answer.courseTrouble}`)])
  if (size > 1) return take([step(answer, 'unconfirmed', `the service refused the batch: ${answer.words}`)])
  if (!judgesContent.includes(answer.status ?? 400))
    return take([step(answer, 'unconfirmed', `the service refused the call (${answer.status}): ${answer.words}`)])
  return take([step(answer, 'failed', `the service refused it: ${answer.words}`)])
}

function backToPending(answer: AnsweredCall, reason: string, waitMs: number): Decision {
  return take([step(answer, 'unconfirmed', reason), step(answer, 'pending', reason)], { waitMs })
}

function step(answer: AnsweredCall, to: Step['to'], reason: string | null): Step {
  return { to, event: `call ${answer.class}`, reason }
}
