// Decides what the outcome of an invitation means for the rows of its batch. The table in the test is the
// specification. Pure.

import type { OutcomeClass } from '#src/domain/credential/outcome-class.ts'
import { type Decision, type Step, take } from './decision.ts'

export interface AnsweredCall {
  class: OutcomeClass
  status: number | null
  /** The service's message, from which personal data has already been removed. */
  words: string
  retryAfterMs: number | null
  /** A clause that explains why the course cannot issue now. Set only if this was checked after a refusal. */
  courseTrouble?: string | null
  /** The size of the call in bytes, if it contained images. */
  imageBytes?: number | null
}

/**
 * How long to wait after a call that was certainly not applied, if the service does not say how long. The waits are
 * long enough not to burden a service that has problems.
 */
export const [waitNotSentMs, waitThrottledMs, waitKeysMs] = [5_000, 1_000, 60_000]

/**
 * Statuses that reject the content of a request. Other statuses (403, 404, 405 …) concern the call itself, so no
 * recipient is the cause.
 */
const contentStatuses = [400, 409, 422]

/** @param size the number of rows in the batch */
export function afterSending(answer: AnsweredCall, size: number): Decision {
  if (answer.class === 'accepted') return take([step(answer, 'requested', null)])
  if (answer.class === 'not_sent')
    return backToPending(
      answer,
      'the service could not be reached; the call is tried again',
      answer.retryAfterMs ?? waitNotSentMs,
    )
  if (answer.class === 'throttled')
    return backToPending(answer, 'the service throttled the call (429)', answer.retryAfterMs ?? waitThrottledMs)
  if (answer.class === 'too_large' && size > 1) {
    const why = `the service calls ${size} recipients too large; smaller batches follow`
    return { ...backToPending(answer, why, 0), batchLimit: Math.floor(size / 2) }
  }
  // The service checks the keys before it reads the request.
  if (answer.class === 'unauthorised') return backToPending(answer, 'the service refuses our keys (401)', waitKeysMs)
  if (answer.class === 'refused') return afterRefusal(answer, size)
  // If a single row is too large, no other row can be the cause.
  if (answer.class === 'too_large') return take([step(answer, 'failed', tooLargeAlone(answer))])
  return take([step(answer, 'unconfirmed', 'the outcome of the call is unknown; the report decides')])
}

/** For a single row with an image, the service's usual message about the number of recipients would be misleading. */
function tooLargeAlone({ imageBytes, words }: AnsweredCall): string {
  if (!imageBytes) return `the service refused it: ${words}`
  const size = (imageBytes / 1_000_000).toFixed(1)
  return `the service says that the call is too large: this row alone makes a call of ${size} MB, most of which is its image. Submit the row again with a smaller image, and then send it with \`credsync retry\``
}

function afterRefusal(answer: AnsweredCall, size: number): Decision {
  if (answer.courseTrouble)
    return take([step(answer, 'unconfirmed', `the service refused the batch, and ${answer.courseTrouble}`)])
  if (size > 1) return take([step(answer, 'unconfirmed', `the service refused the batch: ${answer.words}`)])
  if (!contentStatuses.includes(answer.status ?? 400))
    return take([step(answer, 'unconfirmed', `the service refused the call (${answer.status}): ${answer.words}`)])
  return take([step(answer, 'failed', `the service refused it: ${answer.words}`)])
}

function backToPending(answer: AnsweredCall, reason: string, waitMs: number): Decision {
  return take([step(answer, 'unconfirmed', reason), step(answer, 'pending', reason)], { waitMs })
}

function step(answer: AnsweredCall, to: Step['to'], reason: string | null): Step {
  return { to, event: `call ${answer.class}`, reason }
}
