// A worker that stands still (a stopped process, a paused machine) keeps its connections and what they hold. Where several share the work, what all
// of them wait for is taken from it.

import type { NeededLock } from '#src/ledger/crew.ts'
import type { Standing } from './lose-calls.ts'
import type { Tools } from './tools.ts'

/** Only who has been among the others long enough to tell who is silent may do this: after an outage of the database all have been. */
export async function freeFromStill(
  { ledger, exclusive, instance, tuning, log }: Tools,
  { mayBury }: Standing,
  lock: NeededLock,
): Promise<void> {
  if (exclusive || !mayBury()) return
  for (const still of await ledger.workers.takeFromSilent(lock, instance, tuning.stillMs))
    log.event('worker.still', { instance: still, where: lock })
}
