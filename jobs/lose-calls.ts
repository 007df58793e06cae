// Whose calls and jobs are lost: those of a worker that is dead, and jobs that a store of queues has forgotten.
// Among several workers one is dead when its lock is gone, as it goes with the process, and it has been silent as well. Neither alone will do: a process
// that stands still is silent, and one whose connection was cut, or whose database was started anew, has lost its lock and is at work.

import type { Session } from '#src/database/database.ts'
import type { Tools } from './tools.ts'

/** What lets a process judge the calls of others; without it only their deadlines do. */
export interface Standing {
  /** What makes this process the only worker, where there may be one only: who wakes from a long sleep without it must not judge its successor. */
  lock: Session | null
  /** Where there are several: whether this one has been among them for long enough to tell who is silent. */
  mayBury: () => boolean
}

export const noStanding: Standing = { lock: null, mayBury: () => false }

/** @returns the attempts whose outcome is unknown from now on */
export async function loseCalls(tools: Tools, { lock, mayBury }: Standing): Promise<number[]> {
  const { ledger, exclusive, instance } = tools
  if (exclusive) return lock ? ledger.loseAttempts(instance, lock) : []
  await askAfterLoss(tools)
  return mayBury() ? bury(tools) : ledger.loseAttempts(null)
}

/** Its calls are lost and its jobs asked for anew, and then it is forgotten: whoever dies in between leaves it to the next. */
async function bury({ ledger, log, tuning }: Tools): Promise<number[]> {
  const dead = await ledger.workers.dead(tuning.aliveMs.silent)
  const lost = await ledger.loseAttempts(null, undefined, dead)
  if (dead.length === 0) return lost
  // Nobody knows which of the jobs it had.
  await ledger.forgetAsked()
  await ledger.workers.forget(dead)
  for (const instance of dead) log.event('worker.dead', { instance })
  return lost
}

/** A store that was emptied has no job of ours; waiting until each seems lost would be half a minute of nothing. */
async function askAfterLoss({ ledger, queues, log }: Tools): Promise<void> {
  if (!(await queues.isNew())) return
  await ledger.forgetAsked()
  log.event('queue.new', {})
}
