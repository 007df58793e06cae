// Moves the files of finished runs to the folders `done` and `refused` of their inboxes.

import { basename, dirname, join } from 'node:path'
import type { Tools } from '#jobs/job-tools.ts'
import { writeSummary } from '#jobs/write-back.ts'
import { nullIfMissing } from '#src/files/inbox/inbox-error.ts'
import { moveTakenFile } from '#src/files/inbox/move-taken-file.ts'
import type { WatchedInbox } from '#src/files/inbox/open-inboxes.ts'
import { hashUntrusted } from '#src/files/tables/hash-file.ts'
import { NotAFileError } from '#src/files/tables/source-file.ts'
import type { UnfiledRun } from '#src/ledger/runs/inboxes.ts'

type FilingTools = Pick<Tools, 'ledger' | 'log' | 'clock' | 'outbox'>

/**
 * Moves each file of a finished run to the inbox's folder `done` or `refused`, which is the last step for a file of an
 * inbox. The file of a braked run stays where it is.
 */
export async function moveFinishedFiles(tools: FilingTools, { pipeline, marker }: WatchedInbox): Promise<void> {
  const { ledger, log } = tools
  for (const run of await ledger.inboxes.unfiled(pipeline)) {
    const changed = run.state !== 'refused' && (await changedSince(run))
    const targetFolder = run.state === 'refused' || changed ? 'refused' : 'done'
    const sentence = changed ? changedSentence(run.id) : run.refusal && reasonText(run.refusal)
    const { path } = await moveTakenFile(run.sourcePath, targetFolder, { sentence, marker })
    // The summary page still says that the run waits for a decision.
    if (run.state === 'refused' && run.braked) await writeSummary(tools, run.id)
    await ledger.inboxes.noteFiled(run.id, path)
    log.event('inbox.filed', { run: run.id, pipeline, outcome: path ? targetFolder : 'not found' })
  }
}

/**
 * Returns whether the file has changed since it was taken: a program that paused for longer than the settle time may
 * have appended rows that were not read.
 */
async function changedSince({ sourcePath, sourceSha256 }: UnfiledRun): Promise<boolean> {
  const moved = join(dirname(dirname(sourcePath)), 'refused', basename(sourcePath))
  // The file is already in `refused` if the process was killed between moving the file and recording that.
  for (const path of [sourcePath, moved]) {
    const currentHash = await nullIfMissing(hashUntrusted(path).catch(asChanged))
    if (currentHash !== null) return currentHash !== sourceSha256
  }
  return false
}

/** Something that is no longer a regular file has no hash. */
function asChanged(error: unknown): string {
  if (error instanceof NotAFileError) return ''
  throw error
}

function changedSentence(runId: string): string {
  return `This file changed after it was taken. The rows that it had by then were issued (run ${runId}); later rows were not read. Drop it into the inbox again: people whose credentials were issued are skipped, and the others get theirs. A program that pauses while writing must use a temporary name or a marker.`
}

/** The text of FILE.reason.txt. @param refusal why it was refused, in sentences */
function reasonText(refusal: string): string {
  return `${refusal}\n\nNothing in this file was issued. Fix what is named above, and drop the file into the inbox again, with its marker if it needs one. Settings such as columns are changed by the operator of the worker; after that, drop in the same file.`
}
