// Queues scans of inboxes at the times recorded in the ledger.

import type { Tools } from '#jobs/job-tools.ts'
import { dueScan, initialLastDueAt } from '#src/files/inbox/when-to-scan.ts'

type ScanTools = Pick<Tools, 'ledger' | 'inboxes' | 'queues' | 'clock'>

/**
 * Queues a scan of each inbox that is due, or from which the file of a finished run is to be moved away.
 * @returns how many were queued
 */
export async function enqueueInboxScans({ ledger, inboxes, queues, clock }: ScanTools): Promise<number> {
  if (inboxes.all.length === 0) return 0
  const records = new Map((await ledger.inboxes.statuses()).map((record) => [record.pipeline, record]))
  const withFilesToMove = await ledger.inboxes.pipelinesToFile()
  let queued = 0
  for (const { pipeline, schedule } of inboxes.all) {
    const now = clock.now()
    const scanRecord = records.get(pipeline) ?? (await ledger.inboxes.status(pipeline, initialLastDueAt(schedule, now)))
    const retrying = scanRecord.againAt !== null && scanRecord.againAt <= now
    if (!withFilesToMove.has(pipeline) && !retrying && !dueScan(schedule, scanRecord, now)) continue
    if (await ledger.inboxes.take(pipeline)) queued += Number(await queues.enqueue('collect', { pipeline }))
  }
  return queued
}
