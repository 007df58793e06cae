// The worker as `status` tells of it. Pure.

import { whereabouts } from '#src/check/worker-words.ts'
import type { ShownWorker } from '#src/ledger/shown-worker.ts'

/** A line for each worker that runs, or one that says that none does. */
export function workerLines(workers: readonly ShownWorker[]): string[] {
  if (workers.length === 0)
    return [
      'No worker runs: inboxes and open rows wait for `credsync start`, or open rows for the next `credsync issue`.',
    ]
  return workers.map((worker) => `A worker runs for ${worker.environment}: ${whereabouts(worker)}.`)
}

/** What `status --json` tells of a worker. */
export function workerDocument({ environment, host, pid, startedAt }: ShownWorker): object {
  return { environment, host, pid, startedAt, running: true }
}
