// Watch: checks issued credentials in the report once a night, because somebody may have revoked one in the portal. The
// job shares its queue with the scans for open rows; each call passes the gate separately, so no open row waits for
// it.

import { watchIssued } from '#src/issuing/reconcile/watch-issued.ts'
import { LimitsClosedError } from '#src/platform/limits/limits-closed-error.ts'
import { done, type Verdict } from '#src/platform/queue/verdict.ts'
import type { Tools } from './job-tools.ts'

export type WatchJobTools = Pick<Tools, 'ledger' | 'issuer' | 'log' | 'clock' | 'tuning'>

/** How long to wait before a watch that failed is tried again. */
const retryAfterFailureMs = 10 * 60_000

export async function watch(tools: WatchJobTools): Promise<Verdict> {
  await tools.ledger.locks.withLock('watch', () => watchOnce(tools), false)
  return done()
}

async function watchOnce({ ledger, tuning, clock, log, ...tools }: WatchJobTools): Promise<void> {
  const status = await ledger.watching.status()
  if (!status.due) return
  const startedAtMs = clock.monotonicMs()
  const { withinMs, schedule } = tuning.watch
  const nextAt = schedule.next(clock.now())
  const periodMs = schedule.next(nextAt).getTime() - nextAt.getTime()
  const tally = { pages: 0, items: 0, revoked: 0 }
  try {
    const outcome = await watchIssued(
      { ...tools, ...tuning, ledger, clock, log },
      status,
      { withinMs, periodMs },
      tally,
    )
    await ledger.watching.endCheck(outcome, nextAt)
    const { pages, items, revoked: count } = tally
    log.event('watch.ended', { outcome, pages, items, count, ms: Math.round(clock.monotonicMs() - startedAtMs) })
  } catch (error) {
    await ledger.watching.postpone(error instanceof LimitsClosedError ? 0 : retryAfterFailureMs)
    throw error
  }
}
