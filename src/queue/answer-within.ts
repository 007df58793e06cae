// A deadline of our own for every call to the queue: BullMQ has none, and a call to a server that is down just waits.

import type { Clock } from '#src/time/clock.ts'
import { TooLateError, within } from '#src/time/within.ts'

/** The queue's server did not answer. Holds no address: a connection URL carries a password. */
export class QueueUnreachableError extends Error {
  override readonly name = 'QueueUnreachableError'
  readonly code = 'QUEUE_UNREACHABLE'

  constructor(what: string, reason: string) {
    super(
      `The queue did not answer: ${what} (${reason}). Check that its server runs and that DATABASE_URL or REDIS_URL names it.`,
    )
  }
}

/**
 * The answer, when it comes within `ms` milliseconds. The call itself can't be taken back and may still succeed later.
 * @throws QueueUnreachableError at the deadline; whatever the call rejects with before it
 */
export async function answerWithin<Answer>(
  clock: Clock,
  ms: number,
  what: string,
  call: Promise<Answer>,
): Promise<Answer> {
  try {
    return await within(clock, ms, call)
  } catch (error) {
    throw error instanceof TooLateError ? new QueueUnreachableError(what, `after ${ms} ms`) : error
  }
}

/** Whether the call settled, either way, within `ms` milliseconds. */
export async function settlesWithin(clock: Clock, ms: number, call: Promise<unknown>): Promise<boolean> {
  const settled = call.then(
    () => {},
    () => {},
  )
  return within(clock, ms, settled).then(
    () => true,
    () => false,
  )
}
