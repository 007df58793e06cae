// Ends all workers of the process within a deadline. BullMQ's close() has none, and close(true) after close() changes
// nothing.

import type { Clock } from '#src/platform/time/clock.ts'
import { settlesWithin } from './answer-within.ts'
import type { RunningJobs } from './running-jobs.ts'
import type { StoredWorker } from './store.ts'

/** How long interrupted jobs have to finish. */
export const interruptedJobMs = 1_000

/**
 * How long BullMQ has to record the last verdicts and end its connections, which never completes while the server is
 * unavailable.
 */
export const closeWorkersMs = 2_000

/**
 * Stops taking jobs and waits for the running ones. At the deadline, aborts their signals and abandons those that do
 * not end. An abandoned job is run again by another worker once its lock expires. Takes at most `deadlineMs` plus three
 * seconds.
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
    await settlesWithin(clock, interruptedJobMs, running.idle())
  }
  const unfinished = running.size
  // If a job was abandoned, close() would wait for it without limit.
  if (unfinished === 0) await settlesWithin(clock, closeWorkersMs, closing)
  return { unfinished }
}
