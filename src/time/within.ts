// A deadline for something that has none of its own.

import type { Clock } from './clock.ts'

/** The time was up first. What was waited for goes on. */
export class TooLateError extends Error {
  override readonly name = 'TooLateError'

  constructor(ms: number) {
    super(`There was no answer within ${ms} ms.`)
  }
}

/**
 * What the call gives, when it does so within `ms` milliseconds.
 * @throws TooLateError at the deadline; whatever the call rejects with before it
 */
export async function within<Answer>(clock: Clock, ms: number, call: Promise<Answer>): Promise<Answer> {
  const timer = new AbortController()
  const deadline = clock.sleep(ms, timer.signal).then(() => {
    throw new TooLateError(ms)
  })
  try {
    return await Promise.race([call, deadline])
  } finally {
    call.catch(() => {})
    deadline.catch(() => {})
    timer.abort()
  }
}
