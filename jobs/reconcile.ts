// Reconcile: the credential report is read, and every open row that it shows moves on. What it does not show is decided by rule.

import { done, type Verdict } from '#src/queue/verdict.ts'
import { nextLookMs } from '#src/reconcile/cadence.ts'
import { type ScanResult, scanReport } from '#src/reconcile/scan-report.ts'
import { settleDoubts } from '#src/reconcile/settle-doubts.ts'
import { tendRevocations } from './revocations.ts'
import type { Tools } from './tools.ts'

type ReconcileTools = Pick<Tools, 'ledger' | 'issuer' | 'log' | 'clock' | 'tuning'>

export async function reconcile(tools: ReconcileTools): Promise<Verdict> {
  const { ledger } = tools
  await tendRevocations(tools)
  // One reading at a time; whoever waited finds that the poller is no longer due.
  await ledger.withLock('scan', async () => {
    const watch = await ledger.readWatch()
    if (watch.due) await lookOnce(tools, watch.deepDue ? 'deep' : 'young')
  })
  return done()
}

/**
 * One full pass now, whatever is due. `deep` looks for every open row, `young` for those of the last day.
 * @returns null when there was nothing to look for
 */
export async function lookOnce(tools: ReconcileTools, reach: 'deep' | 'young'): Promise<ScanResult | null> {
  const { ledger, tuning, clock } = tools
  const began = clock.monotonicMs()
  const watch = await ledger.readWatch()
  const since = reach === 'deep' ? watch.sinceAll : (watch.sinceYoung ?? watch.sinceAll)
  if (watch.open === 0 || since === null) return null
  try {
    const scan = await scanReport({ ...tools, ...tuning }, since)
    await settleDoubts(tools, scan, tuning.policy)
    await ledger.settleRuns()
    return scan
  } finally {
    const after = await ledger.readWatch()
    await ledger.schedulePoller(
      nextLookMs(after.youngestMs, tuning.cadence, clock.monotonicMs() - began),
      reach === 'deep' ? tuning.cadence.slowestMs : null,
    )
  }
}
