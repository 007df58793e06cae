// A deadline of our own for every call to the queue: BullMQ has none, and a call to a server that is down just waits.

import type { Clock } from '#src/time/clock.ts'

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
  const timer = new AbortController()
  const deadline = clock.sleep(ms, timer.signal).then(() => {
    throw new QueueUnreachableError(what, `after ${ms} ms`)
  })
  try {
    return await Promise.race([call, deadline])
  } finally {
    deadline.catch(() => {})
    timer.abort()
  }
}

/** Whether the call settled, either way, within `ms` milliseconds. */
export async function settlesWithin(clock: Clock, ms: number, call: Promise<unknown>): Promise<boolean> {
  const settled = call.then(
    () => {},
    () => {},
  )
  return answerWithin(clock, ms, 'wait', settled).then(
    () => true,
    () => false,
  )
}
