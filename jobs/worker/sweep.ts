// Sweep: queues a job for everything in the ledger that is due and has no live job, which also restores queues that
// were deleted, and frees locks that stalled workers hold. Runs on our own timer, under an advisory lock, and does not
// depend on a queue's scheduler.

import type { ExtensionTools } from '#jobs/extension-jobs.ts'
import { extensionJobs } from '#jobs/extensions.ts'
import type { Tools } from '#jobs/job-tools.ts'
import { carryOutErasures } from '#jobs/privacy/carry-out-erasures.ts'
import type { NeededLock } from '#src/ledger/workers/worker-registry.ts'
import { done, type Verdict } from '#src/platform/queue/verdict.ts'
import { prepareBatches } from './prepare-batches.ts'
import { noReapAuthority, type ReapAuthority, rescueOrphans } from './rescue-orphans.ts'

export interface SweepResult {
  /** Jobs that were queued. */
  queued: number
  /** Attempts that were found to be lost. */
  lost: number
}

/** Runs one sweep, unless another process is sweeping. Called by the timer in sweep-loop.ts. */
export async function sweepNow(tools: ExtensionTools, authority: ReapAuthority = noReapAuthority): Promise<void> {
  await tools.ledger.version.check()
  const swept = await tools.ledger.locks.withLock('sweep', () => sweep(tools, authority), false)
  // The worker that has the sweep lock checks the holders of the others; other workers check the holder of the sweep
  // lock.
  for (const lock of swept ? (['scan', 'notices', 'messages'] as const) : (['sweep'] as const))
    await evictStalled(tools, authority, lock)
}

/** Runs a sweep that begins after this call: a sweep that is already running may have missed the work just created. */
export async function sweepForNewWork(tools: ExtensionTools): Promise<Verdict> {
  await tools.ledger.locks.withLockAfter('sweep', () => sweep(tools))
  return done()
}

/** Runs one sweep, without taking the lock. @returns what the sweep found */
export async function sweep(tools: ExtensionTools, authority: ReapAuthority = noReapAuthority): Promise<SweepResult> {
  const { ledger, queues, log } = tools
  const lost = await rescueOrphans(tools, authority)
  for (const attempt of lost) log.event('attempt.lost', { attempt })
  if (lost.length > 0) await ledger.poller.hurry(0)

  // Before batches are prepared: rows of forgotten people are withdrawn.
  await carryOutErasures(tools)
  let count = 0
  for (const runId of await ledger.work.takeRunsToRead()) count += Number(await queues.enqueue('intake', { runId }))
  count += await prepareBatches(tools)
  const [poll, revocations] = [await ledger.work.takePoll(), await ledger.revocations.take()]
  const { environment } = ledger
  if (poll || revocations) count += Number(await queues.enqueue('reconcile', { kind: 'follow', environment }))
  if (await ledger.watching.take()) count += Number(await queues.enqueue('reconcile', { kind: 'watch', environment }))
  await ledger.runs.settle()
  for (const runId of await ledger.work.takeWriteBacks()) count += Number(await queues.enqueue('write-back', { runId }))
  for (const { queueDue } of extensionJobs) count += (await queueDue?.(tools)) ?? 0
  if (count > 0) log.event('sweep.asked', { count })
  return { queued: count, lost: lost.length }
}

/**
 * Frees a lock that all workers wait for, by terminating the connection of a stalled worker that holds it: a stopped
 * process or a paused machine keeps its connections and their locks. Only used where several workers share the work,
 * and only by a worker that has been registered for long enough, because no other worker can tell which workers are
 * silent: after an outage of the database, all of them have been.
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
