// Adds deadlines to calls to the queue's store. BullMQ has none, so a call to a server that is down would wait forever.

import { faultName } from '#src/platform/log/fault-name.ts'
import type { Clock } from '#src/platform/time/clock.ts'
import { TooLateError, within } from '#src/platform/time/deadline.ts'

/** How long to wait for a connection of a queue or a worker. */
export const openMs = 10_000

/** Thrown if the queue's server does not answer. Contains no address, because a connection URL includes a password. */
export class QueueUnreachableError extends Error {
  override readonly name = 'QueueUnreachableError'

  constructor(what: string, reason: string) {
    super(
      `The queue did not answer: ${what} (${reason}). Check that the queue's server is running and that DATABASE_URL or REDIS_URL names it.`,
    )
  }
}

/**
 * Returns the answer if it comes within `ms` milliseconds. The call itself cannot be canceled and may still succeed
 * later.
 * @throws QueueUnreachableError at the deadline; before that, any error of the call itself
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

/**
 * Waits for a connection.
 * @throws QueueUnreachableError for any failure
 */
export async function openWithin(clock: Clock, what: string, opening: Promise<unknown>): Promise<void> {
  try {
    await answerWithin(clock, openMs, what, opening)
  } catch (error) {
    throw error instanceof QueueUnreachableError ? error : new QueueUnreachableError(what, faultName(error))
  }
}

/** Returns whether the call settles, either way, within `ms` milliseconds. */
export async function settlesWithin(clock: Clock, ms: number, call: Promise<unknown>): Promise<boolean> {
  return within(clock, ms, Promise.allSettled([call])).then(
    () => true,
    () => false,
  )
}
