// What an answer to an outgoing event means for its next try.

import { parseRetryAfter } from '#src/retry/retry-after.ts'

/** For how long an answer is waited for. The standard suggests 15 to 30 seconds. */
export const webhookTimeoutMs = 15_000

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/** Before the second try, the third, and so on: the schedule that Standard Webhooks gives as its example, 10 tries in 76 hours. */
const waitsMs = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour]
const longestMs = 24 * hour
const jitter = 0.1

/** The status and the Retry-After header; null when no answer came in time, or none that could be read. */
export type WebhookAnswer = { status: number; retryAfter?: string | null } | null

/** `gone` is for good: nothing more is sent to that address until a person says so. */
export type NextTry =
  | { do: 'done' }
  | { do: 'stop'; why: 'gone' | 'tries-exhausted' }
  | { do: 'again'; afterMs: number }

/**
 * `attempt` is the number of the try that was answered, from 1. A redirect is a failure: events are sent to no address that nobody
 * configured. Retry-After lengthens a wait up to a day, and never shortens one. `random` gives numbers in [0, 1) and spreads the tries.
 */
export function nextTry(attempt: number, answer: WebhookAnswer, now: Date, random: () => number = () => 0): NextTry {
  if (answer && answer.status >= 200 && answer.status < 300) return { do: 'done' }
  if (answer?.status === 410) return { do: 'stop', why: 'gone' }
  const planned = waitsMs[attempt - 1]
  if (planned === undefined) return { do: 'stop', why: 'tries-exhausted' }
  const asked = Math.min(longestMs, parseRetryAfter(answer?.retryAfter, now) ?? 0)
  return { do: 'again', afterMs: Math.round(Math.max(planned, asked) * (1 + jitter * random())) }
}
