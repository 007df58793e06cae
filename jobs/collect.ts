// Collect: turns the files in an inbox into runs and moves the files of finished runs out of the way. The ledger
// records when an inbox is due, so repeated or early jobs do nothing, and the sweep replaces jobs that were lost.

import { basename } from 'node:path'
import { moveFinishedFiles } from '#jobs/inbox/move-finished-files.ts'
import { filesNotTaken, notTakenPage } from '#src/files/inbox/files-not-taken.ts'
import { InboxError } from '#src/files/inbox/inbox-error.ts'
import { moveTakenFile } from '#src/files/inbox/move-taken-file.ts'
import type { TakenFile } from '#src/files/inbox/open-inbox.ts'
import type { WatchedInbox } from '#src/files/inbox/open-inboxes.ts'
import { takenFileId } from '#src/files/inbox/taken-file-name.ts'
import { type DueScan, dueScan, initialLastDueAt, type ScanRecord } from '#src/files/inbox/when-to-scan.ts'
import { hashUntrusted } from '#src/files/tables/hash-file.ts'
import { NotAFileError } from '#src/files/tables/source-file.ts'
import type { FinishedScan } from '#src/ledger/runs/inboxes.ts'
import { faultName } from '#src/platform/log/fault-name.ts'
import { done, type Verdict } from '#src/platform/queue/verdict.ts'
import type { Tools } from './job-tools.ts'

type CollectTools = Pick<Tools, 'ledger' | 'inboxes' | 'queues' | 'log' | 'clock' | 'outbox'>

/** How long a file that has to wait (see `receive`) is left alone before the next try. */
const copyRetryMs = 60_000

export async function collect(
  tools: CollectTools,
  { pipeline }: { pipeline: string },
  signal?: AbortSignal,
): Promise<Verdict> {
  const inbox = tools.inboxes.find(pipeline)
  // Only one worker can succeed in renaming a file; the lock merely spares the others the scan.
  if (inbox) await tools.ledger.locks.withLock(`collect:${pipeline}`, () => processInbox(tools, inbox, signal), false)
  return done()
}

async function processInbox(tools: CollectTools, inbox: WatchedInbox, signal?: AbortSignal): Promise<void> {
  const { ledger, log } = tools
  const { pipeline } = inbox
  const scanRecord = await ledger.inboxes.status(pipeline, initialLastDueAt(inbox.schedule, tools.clock.now()))
  try {
    const waiting = await receiveLeftBehind(tools, inbox)
    const finished = await scanWhenDue(tools, inbox, { scanRecord, waiting }, signal)
    if (finished) await ledger.inboxes.noteScan(pipeline, finished)
    // Done last, so that a file whose folder is missing does not keep others from being taken.
    await moveFinishedFiles(tools, inbox)
    await ledger.inboxes.noteFinished(pipeline)
  } catch (error) {
    if (!(error instanceof InboxError)) throw error
    const isNew = await ledger.inboxes.noteProblem(pipeline, error.message)
    if (isNew) log.event('inbox.unusable', { pipeline, code: error.code })
  }
}

/** @returns what the ledger records about the scan; null if the scan was interrupted */
async function scanWhenDue(
  tools: CollectTools,
  inbox: WatchedInbox,
  { scanRecord, waiting }: { scanRecord: ScanRecord; waiting: number },
  signal?: AbortSignal,
): Promise<FinishedScan | null> {
  const { schedule, settleMs } = inbox
  const now = tools.clock.now()
  const due = dueScan(schedule, scanRecord, now)
  const afterMs = (ms: number) => new Date(now.getTime() + ms)
  const copyRetryAt = waiting > 0 ? afterMs(copyRetryMs) : null
  if (!due) {
    const planned = scanRecord.againAt && scanRecord.againAt > now ? scanRecord.againAt : null
    return { at: now, againAt: planned ?? copyRetryAt, scan: null }
  }
  const scanned = await takeSettled(tools, inbox, signal)
  // An interrupted scan does not count; the next worker repeats it.
  if (signal?.aborted) return null
  logMissed(tools, inbox, due)
  const againAt = scanned.unready > 0 ? afterMs(settleMs) : scanned.waiting > 0 ? afterMs(copyRetryMs) : copyRetryAt
  const { coveredDueAt, missed } = due
  return {
    at: now,
    againAt,
    scan: { answers: coveredDueAt, missed, files: scanned.files, leftLying: scanned.notTaken },
  }
}

async function takeSettled(tools: CollectTools, inbox: WatchedInbox, signal?: AbortSignal) {
  const { pipeline } = inbox
  const { ready, unready, notTaken: files, newReasons } = await inbox.scan()
  const notTaken = filesNotTaken(files, inbox)
  await inbox.writeNotTaken(notTaken && notTakenPage(notTaken, tools.clock.now()))
  for (const reason of newReasons) tools.log.event('inbox.strange', { pipeline, reason })
  const counts = { files: 0, unready, waiting: 0, notTaken }
  for (const name of ready) {
    if (signal?.aborted) break
    const file = await inbox.take(name)
    if (!file) counts.unready++
    else counts.waiting += await receive(tools, inbox, file)
    if (file) counts.files++
  }
  if (counts.files > 0) tools.log.event('inbox.taken', { pipeline, count: counts.files })
  return counts
}

function logMissed({ log }: CollectTools, { pipeline }: WatchedInbox, { missed }: DueScan): void {
  if (missed) log.event('inbox.missed', { pipeline, due: missed.at.toISOString(), count: missed.count })
}

type ReceiveTools = Pick<Tools, 'ledger' | 'queues' | 'log'>

/**
 * Receives taken files that belong to no run yet: files that a killed process left behind, and copies that wait.
 * @returns how many of the files still wait
 */
async function receiveLeftBehind(tools: ReceiveTools, inbox: WatchedInbox): Promise<number> {
  const files = await inbox.listTaken()
  const knownPaths = await tools.ledger.inboxes.namedFiles(files.map(({ path }) => path))
  let waiting = 0
  for (const file of files.filter(({ path }) => !knownPaths.has(path))) waiting += await receive(tools, inbox, file)
  return waiting
}

/**
 * Creates the run of one taken file, or moves the file away if it cannot become a run. If this is repeated after the
 * process was killed, the existing run is found.
 * @returns 1 if the file has to wait (a copy of a file that is still being read, or a file that cannot be read now),
 * otherwise 0
 */
async function receive({ ledger, queues, log }: ReceiveTools, inbox: WatchedInbox, file: TakenFile): Promise<number> {
  const { pipeline, marker } = inbox
  let sourceSha256: string
  try {
    sourceSha256 = await hashUntrusted(file.path)
  } catch (error) {
    log.event('fault', { where: 'inbox file', pipeline, error: faultName(error) })
    if (!(error instanceof NotAFileError)) return 1
    await moveTakenFile(file.path, 'refused', { sentence: error.message, marker })
    return 0
  }
  const takenId = takenFileId(basename(file.path))
  const source = { pipeline, sourceName: file.name, sourcePath: file.path, sourceSha256, runIdPrefix: takenId }
  const { runId, as, sentence } = await ledger.inboxes.receive(source)
  if (as === 'new') await queues.enqueue('intake', { runId })
  if (as === 'copy') {
    await moveTakenFile(file.path, 'done', { sentence, marker })
    log.event('inbox.copy', { pipeline, run: runId })
  }
  return as === 'waits' ? 1 : 0
}
