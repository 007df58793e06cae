// Reconcile: reads the credential report and updates every open row that the report shows. Rows that it does not show
// are decided by the rules of absence.

import { nextReadDelayMs } from '#src/issuing/reconcile/look-up-revocation.ts'
import { resolveUnconfirmed } from '#src/issuing/reconcile/resolve-unconfirmed.ts'
import { type ScanResult, scanReport } from '#src/issuing/reconcile/scan-report.ts'
import type { PollerStatus } from '#src/ledger/report/poller.ts'
import { done, type Verdict } from '#src/platform/queue/verdict.ts'
import type { Tools } from './job-tools.ts'
import { processRevocations } from './revocations.ts'

type ReconcileTools = Pick<Tools, 'ledger' | 'issuer' | 'mark' | 'log' | 'clock' | 'tuning'>

export async function reconcile(tools: ReconcileTools): Promise<Verdict> {
  const { ledger } = tools
  await processRevocations(tools)
  // Only one process reads the report at a time. A job that waited for the lock finds that a scan is no longer due.
  await ledger.locks.withLock('scan', async () => {
    const pollStatus = await ledger.poller.read()
    if (pollStatus.due) await readReport(tools, pollStatus.deepDue ? 'deep' : 'young', pollStatus)
  })
  return done()
}

/**
 * Reads the report once now, due or not. `deep` reaches back to the oldest open row, `young` to the oldest of those
 * first sent within the last day, or to the oldest of all if there is none. While rows are still to be sent, each
 * scan is a baseline as well, so that senders seldom wait for one.
 * @returns null when no row is open
 */
export async function readReportOnce(tools: ReconcileTools, reach: 'deep' | 'young'): Promise<ScanResult | null> {
  return readReport(tools, reach, await tools.ledger.poller.read())
}

async function readReport(
  tools: ReconcileTools,
  reach: 'deep' | 'young',
  pollStatus: PollerStatus,
): Promise<ScanResult | null> {
  const { ledger, tuning, clock } = tools
  const startedAtMs = clock.monotonicMs()
  const openSince = reach === 'deep' ? pollStatus.sinceAll : (pollStatus.sinceYoung ?? pollStatus.sinceAll)
  if (pollStatus.open === 0 || openSince === null) return null
  try {
    const since = pollStatus.unsent ? earlier(openSince, await ledger.scans.baselineSince()) : openSince
    const scan = await scanReport({ ...tools, ...tuning }, since)
    await resolveUnconfirmed(tools, scan, tuning.policy)
    await ledger.runs.settle()
    return scan
  } finally {
    const { youngestMs } = await ledger.poller.read()
    await ledger.poller.schedule(
      nextReadDelayMs(youngestMs, tuning.cadence, clock.monotonicMs() - startedAtMs),
      reach === 'deep' ? tuning.cadence.slowestMs : null,
    )
  }
}

/** The earlier of two days, YYYY-MM-DD. */
const earlier = (day: string, other: string): string => (day < other ? day : other)
