// Describes the workers for `status`. Pure.

import { workerLocation } from '#src/issuing/descriptions/describe-worker.ts'
import { doesOneOf, type RegisteredWorker } from '#src/ledger/workers/worker-registration.ts'

/** Returns a line for each running worker, or one that says that no worker is running. A console alone is no worker. */
export function workerLines(running: readonly RegisteredWorker[]): string[] {
  const workers = running.filter((each) => doesOneOf(each))
  if (workers.length === 0)
    return [
      'No worker is running: inboxes and open rows wait for `credsync start`; open rows also continue with the next `credsync issue`.',
    ]
  return workers.map((worker) => `A worker is running for ${worker.environment}: ${workerLocation(worker)}.`)
}

/** The worker's entry in `status --json`. */
export function workerDocument({ environment, host, pid, startedAt }: RegisteredWorker): object {
  return { environment, host, pid, startedAt, running: true }
}
