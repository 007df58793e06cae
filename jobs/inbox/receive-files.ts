// Creates the run of a file that was taken from an inbox, once: if this is repeated after the process was killed, the
// existing run is found.

import { basename } from 'node:path'
import type { Tools } from '#jobs/job-tools.ts'
import { moveTakenFile } from '#src/files/inbox/move-taken-file.ts'
import type { TakenFile } from '#src/files/inbox/open-inbox.ts'
import type { WatchedInbox } from '#src/files/inbox/open-inboxes.ts'
import { takenFileId } from '#src/files/inbox/taken-name.ts'
import { hashUntrusted } from '#src/files/tables/hash-file.ts'
import { NotAFileError } from '#src/files/tables/source-file.ts'
import { faultName } from '#src/platform/log/fault-name.ts'

type ReceiveTools = Pick<Tools, 'ledger' | 'queues' | 'log'>

/**
 * Receives taken files that belong to no run yet: files that a killed process left behind, and copies that wait.
 * @returns how many of the files still wait
 */
export async function receiveLeftBehind(tools: ReceiveTools, inbox: WatchedInbox): Promise<number> {
  const files = await inbox.listTaken()
  const knownPaths = await tools.ledger.inboxes.namedFiles(files.map(({ path }) => path))
  let waiting = 0
  for (const file of files.filter(({ path }) => !knownPaths.has(path))) waiting += await receive(tools, inbox, file)
  return waiting
}

/**
 * Creates the run of one taken file, or moves the file away if it cannot become a run.
 * @returns 1 if the file has to wait (a copy of a file that is still being read, or a file that cannot be read now),
 * otherwise 0
 */
export async function receive(
  { ledger, queues, log }: ReceiveTools,
  inbox: WatchedInbox,
  file: TakenFile,
): Promise<number> {
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
