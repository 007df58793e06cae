// Deletes every job of a queue, also those that are running, and leaves the queue open.

import type { StoredQueue } from './store.ts'

/** Jobs in every state are deleted; the worker of a running one finds no job to settle, which is reported as a fault and harmless. */
export async function emptyQueue(queue: StoredQueue): Promise<void> {
  try {
    // Pauses the queue first, for all processes, and takes the pause away with the queue's last trace.
    await queue.obliterate({ force: true })
  } finally {
    // A crash or an error between those two would leave the queue paused for ever and every worker looking healthy.
    await queue.resume()
    // On Redis a rest asked for by `hold` outlives the obliteration.
    await queue.removeRateLimitKey()
  }
}
