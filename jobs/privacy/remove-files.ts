// The step of an erasure after its rows are empty: the files that show its people are written again without them, and
// their archived certificates are removed. Can be repeated at any moment; what is missing for good counts as done.

import type { Tools } from '#jobs/job-tools.ts'
import { InboxError } from '#src/files/inbox/inbox-error.ts'
import { TableWriteError } from '#src/files/tables/table-writer.ts'
import { FolderMissingError } from '#src/issuing/results/written-files.ts'
import { cleanRunFiles } from './clean-run-files.ts'
import { type FileTime, withinFileTime } from './file-time.ts'
import { removeErasedCertificates } from './remove-erased-certificates.ts'

type RemovalTools = Pick<Tools, 'ledger' | 'outbox' | 'clock' | 'archives'>

/**
 * @param time what is not written or removed in it is left to the next call
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
    try {
      isDone = (await withinFileTime(clock, time, () => cleanRunFiles(tools, run))) && isDone
    } catch (error) {
      if (!isFolderFault(error)) throw error
      problems.push(`The files of run ${run}: ${error.message}`)
    }
  }
  if (!isDone) problems.push('The files of its lists are being written again.')
  problems.push(...(await removeErasedCertificates(tools, erasureId, time)))
  return problems.length === 0 ? null : summed(problems)
}

function isFolderFault(error: unknown): error is Error {
  return error instanceof FolderMissingError || error instanceof InboxError || error instanceof TableWriteError
}

function summed([first = '', ...others]: readonly string[]): string {
  return others.length === 0 ? first : `${first} And ${others.length} more.`
}
