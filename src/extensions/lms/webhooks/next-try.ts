// Decides from the response to an outgoing event whether and when to try again. Pure.

import { isSuccessStatus, parseRetryAfter } from '#src/platform/retry-after.ts'

/** How long to wait for a response. The standard suggests 15 to 30 seconds. */
export const webhookTimeoutMs = 15_000

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/**
 * The waits before the second try, the third, and so on: the example schedule of Standard Webhooks, with 10 tries in 76
 * hours.
 */
const waitsMs = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour]
const maxWaitMs = 24 * hour
const jitter = 0.1

/** The status and the Retry-After header of a response; null when no readable response arrived in time. */
export type WebhookAnswer = { status: number; retryAfter?: string | null } | null

/** `gone` is final: nothing is sent to that URL until an operator allows it again. */
export type NextTry =
  | { do: 'done' }
  | { do: 'stop'; why: 'gone' | 'tries-exhausted' }
  | { do: 'again'; afterMs: number }

/**
 * A redirect is a failure: events are sent only to URLs in the settings. Retry-After can lengthen a wait up to a day,
 * but not shorten it.
 * @param attempt the number of the completed try, from 1
 * @param random returns a number in [0, 1), which adds jitter to the wait
 */
export function nextTry(attempt: number, answer: WebhookAnswer, now: Date, random: () => number): NextTry {
  if (answer && isSuccessStatus(answer.status)) return { do: 'done' }
  if (answer?.status === 410) return { do: 'stop', why: 'gone' }
  const plannedMs = waitsMs[attempt - 1]
  if (plannedMs === undefined) return { do: 'stop', why: 'tries-exhausted' }
  const requestedMs = Math.min(maxWaitMs, parseRetryAfter(answer?.retryAfter, now) ?? 0)
  return { do: 'again', afterMs: Math.round(Math.max(plannedMs, requestedMs) * (1 + jitter * random())) }
}
