// Frees a lock that all workers wait for, by terminating the connection of a stalled worker that holds it: a stopped
// process or a paused machine keeps its connections and their locks. Only used where several workers share the work.

import type { Tools } from '#jobs/job-tools.ts'
import type { NeededLock } from '#src/ledger/workers/worker-registry.ts'
import type { ReapAuthority } from './rescue-orphans.ts'

/**
 * Only a worker that has been registered for long enough may do this, because no other worker can tell which workers
 * are silent: after an outage of the database, all of them have been.
 */
export async function evictStalled(
  { ledger, exclusive, instance, tuning, log }: Tools,
  { canReap }: ReapAuthority,
  lock: NeededLock,
): Promise<void> {
  if (exclusive || !canReap()) return
  for (const stalledInstance of await ledger.workers.terminateStalled(lock, instance, tuning.stalledAfterMs))
    log.event('worker.still', { instance: stalledInstance, where: lock })
}
