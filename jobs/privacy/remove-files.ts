// The step of an erasure after its rows are empty: the files that show its people are written again without them, and
// their archived certificates are removed. Can be repeated at any moment; what is missing for good counts as done.

import { dirname } from 'node:path'
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
  // Each is looked for once, so that many runs in it do not use up the time for all others, sweep after sweep.
  const missing = new Map<string, Error>()
  let isDone = true
  for (const { run, file } of await ledger.erasures.runsToClean(erasureId)) {
    const known = file === null ? undefined : missing.get(dirname(file))
    if (known) {
      problems.push(problemOf(run, known))
      continue
    }
    if (time.leftMs <= 0) {
      isDone = false
      break
    }
    try {
      isDone = (await withinFileTime(clock, time, () => cleanRunFiles(tools, run))) && isDone
    } catch (error) {
      if (!isFolderFault(error)) throw error
      if (error instanceof FolderMissingError) missing.set(error.folder, error)
      problems.push(problemOf(run, error))
    }
  }
  if (!isDone) problems.push('The files of its lists are being written again.')
  problems.push(...(await removeErasedCertificates(tools, erasureId, time)))
  return problems.length === 0 ? null : summed(problems)
}

const problemOf = (run: string, { message }: Error) => `The files of run ${run}: ${message}`

function isFolderFault(error: unknown): error is Error {
  return error instanceof FolderMissingError || error instanceof InboxError || error instanceof TableWriteError
}

function summed([first = '', ...others]: readonly string[]): string {
  return others.length === 0 ? first : `${first} And ${others.length} more.`
}
