// Reads the credential report before a call, so that its earlier items are known.

import { scanReport } from '#src/issuing/reconcile/scan-report.ts'
import type { Tools } from './job-tools.ts'

/**
 * Makes sure that the ledger has recorded what the report showed before this call. One scan is valid for every batch
 * in the next few minutes. Rows that are sent again need a scan that began after their last call: if that call left
 * items in the report, the scan finds them and the batch is dropped.
 */
export async function takeBaseline(tools: Tools, lastCallAt: Date | null): Promise<void> {
  const { ledger, tuning, senders } = tools
  const isFresh = () => ledger.scans.baselineIsFresh(tuning.baselineAgeMs, lastCallAt)
  if (await isFresh()) return
  await senders.baselineInTurn(async () => {
    if (await isFresh()) return
    await ledger.locks.withLock('scan', async () => {
      if (await isFresh()) return
      const scan = await scanReport({ ...tools, ...tuning }, await ledger.scans.baselineSince())
      if (!scan.complete) throw new BaselineError()
    })
  })
}

/** Thrown if the report could not be read completely before a call. */
export class BaselineError extends Error {
  override readonly name = 'BaselineError'
  constructor() {
    super(
      'The credential report could not be read completely, so nothing is sent: the items of the new call could not be told apart from earlier items.',
    )
  }
}
