// Rescues orphans: the calls and jobs of dead workers, and jobs that a queue store has lost. Where there may be several
// workers, a worker is dead if its lock has ended (as it does with the process) and it has also been silent. Neither is
// enough alone: a stalled process is silent too, and a worker whose connection was cut, or whose database was
// restarted, has lost its lock but is still working.

import type { Tools } from '#jobs/job-tools.ts'
import type { Session } from '#src/platform/database/database.ts'

/** What a process needs to declare the calls of others lost before their deadline. */
export interface ReapAuthority {
  /**
   * Proves that this process is the only worker, where only one is allowed. A process that resumes after a long
   * suspension no longer holds the lock, and must not interfere with its successor.
   */
  lock: Session | null
  /**
   * Where there may be several workers: whether this worker has been registered for long enough to tell which other
   * workers are silent.
   */
  canReap: () => boolean
}

export const noReapAuthority: ReapAuthority = { lock: null, canReap: () => false }

/** @returns the attempts whose outcome is unknown from now on */
export async function rescueOrphans(tools: Tools, { lock, canReap }: ReapAuthority): Promise<number[]> {
  const { ledger, exclusive, instance } = tools
  if (exclusive) return lock ? ledger.attempts.markLost(instance, lock) : []
  await requeueAfterLoss(tools)
  return canReap() ? reapDead(tools) : ledger.attempts.markLost(null)
}

/**
 * Marks the calls of dead workers as lost and has their jobs queued again. The worker is forgotten last: if this
 * process crashes in between, the next one does it.
 */
async function reapDead({ ledger, log, tuning }: Tools): Promise<number[]> {
  const dead = await ledger.workers.dead(tuning.aliveMs.silent)
  const lost = await ledger.attempts.markLost(null, undefined, dead)
  if (dead.length === 0) return lost
  // It is unknown which jobs the dead worker had, so all of them are queued again.
  await ledger.work.forgetEnqueued()
  await ledger.workers.forget(dead)
  for (const instance of dead) log.event('worker.dead', { instance })
  return lost
}

/**
 * Has every job queued again if the queue store was emptied. Otherwise it would take half a minute until each job is
 * assumed lost.
 */
async function requeueAfterLoss({ ledger, queues, log }: Tools): Promise<void> {
  if (!(await queues.isNew())) return
  await ledger.work.forgetEnqueued()
  log.event('queue.new', {})
  await queues.noteRestored()
}
