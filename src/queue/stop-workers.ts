// Ends all workers of the process within a deadline. BullMQ's close() has none, and close(true) after close() changes nothing.

import type { Clock } from '#src/time/clock.ts'
import { settlesWithin } from './answer-within.ts'
import type { RunningJobs } from './running-jobs.ts'
import type { StoredWorker } from './store.ts'

/** For a job that obeys its signal to say its last word. */
export const lastWordMs = 1_000

/** For BullMQ to note the last verdicts and end its connections, which it never finishes while the server is away. */
export const farewellMs = 2_000

/**
 * Takes no new job, waits for the running ones, and at the deadline aborts their signals and leaves them. A job left behind
 * is run again elsewhere once its lock expires. Takes at most `deadlineMs` and three seconds.
 * @returns how many jobs were still running when it gave up
 */
export async function stopWorkers(
  workers: StoredWorker[],
  running: RunningJobs,
  deadlineMs: number,
  clock: Clock,
): Promise<{ unfinished: number }> {
  await Promise.all(workers.map((worker) => worker.pause(true)))
  const closing = Promise.allSettled(workers.map((worker) => worker.close()))
  if (!(await settlesWithin(clock, deadlineMs, running.idle()))) {
    running.interruptAll()
    await settlesWithin(clock, lastWordMs, running.idle())
  }
  const unfinished = running.size
  // With a job left behind, close() would wait for it for as long as it likes.
  if (unfinished === 0) await settlesWithin(clock, farewellMs, closing)
  return { unfinished }
}
