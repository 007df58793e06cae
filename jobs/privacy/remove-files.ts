// The step of an erasure after its rows are empty: the files that show its people are written again without them, and
// their archived certificates are removed. Can be repeated at any moment; what is missing for good counts as done.

import type { Tools } from '#jobs/job-tools.ts'
import { InboxError } from '#src/files/inbox/inbox-error.ts'
import { TableWriteError } from '#src/files/tables/table-writer.ts'
import { FolderMissingError } from '#src/issuing/results/written-files.ts'
import { cleanRunFiles } from './clean-run-files.ts'
import { removeErasedCertificates } from './remove-erased-certificates.ts'

type RemovalTools = Pick<Tools, 'ledger' | 'outbox' | 'clock' | 'archives'>

/** How long files may be written; what a call takes is subtracted. A file that takes longer is written to its end. */
export interface FileTime {
  leftMs: number
}

/**
 * @param time what is not written in it is left to the next call
 * @returns what it waits for, in sentences that name no person; null if nothing is left to do
 */
export async function removeFiles(
  tools: RemovalTools,
  erasureId: string,
  time: FileTime = { leftMs: Number.POSITIVE_INFINITY },
): Promise<string | null> {
  const { ledger, clock } = tools
  await ledger.erasures.listRuns(erasureId)
  const problems: string[] = []
  let isDone = true
  for (const run of await ledger.erasures.runsToClean(erasureId)) {
    if (time.leftMs <= 0) {
      isDone = false
      break
    }
    const beganMs = clock.monotonicMs()
    try {
      isDone = (await cleanRunFiles(tools, run)) && isDone
    } catch (error) {
      if (!isFolderFault(error)) throw error
      problems.push(`The files of run ${run}: ${error.message}`)
    } finally {
      time.leftMs -= clock.monotonicMs() - beganMs
    }
  }
  if (!isDone) problems.push('The files of its lists are being written again.')
  problems.push(...(await removeErasedCertificates(tools, erasureId)))
  return problems.length === 0 ? null : summed(problems)
}

function isFolderFault(error: unknown): error is Error {
  return error instanceof FolderMissingError || error instanceof InboxError || error instanceof TableWriteError
}

function summed([first = '', ...others]: readonly string[]): string {
  return others.length === 0 ? first : `${first} And ${others.length} more.`
}
