// Adds a deadline to a call that has none.

import type { Clock } from './clock.ts'

/** Thrown if the deadline passes before the call settles. The call itself continues. */
export class TooLateError extends Error {
  override readonly name = 'TooLateError'

  constructor(ms: number) {
    super(`No answer came within ${ms} ms.`)
  }
}

/**
 * Returns the call's result if it comes within `ms` milliseconds.
 * @throws TooLateError at the deadline; before that, any error of the call itself
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
