// The record of erasures outside the ledger: each is listed there before anything is erased, and a worker that starts
// compares it with the ledger, because a restored backup brings forgotten people back.

import type { ExtensionTools } from '#jobs/extension-jobs.ts'
import { ErasuresUnreadableError } from '#src/extensions/privacy/erasures-file.ts'

type RecordTools = Pick<ExtensionTools, 'ledger' | 'erasuresFile'>

/** Thrown if the ledger contains people who were forgotten. The message says what to do. */
export class ErasuresLostError extends Error {
  override readonly name = 'ErasuresLostError'
}

/**
 * Lists erasures in the file outside the ledger before anything is erased, so that a ledger that is restored later
 * never brings anybody back unnoticed. After a kill, the next call finds the line and only records that it is there.
 * @returns why an erasure could not be listed, by its id: a sentence for operators. None of these may be carried out
 */
export async function recordErasures({ ledger, erasuresFile }: RecordTools): Promise<ReadonlyMap<string, string>> {
  const records = await ledger.erasures.toRecord()
  if (records.length === 0) return new Map()
  // All in one call, because each call reads the whole file.
  const problem = await erasuresFile.append(records).then(
    () => null,
    (error: NodeJS.ErrnoException) => problemOf(error, erasuresFile.path),
  )
  if (problem !== null) return new Map(records.map(({ erasure }) => [erasure, problem]))
  for (const { erasure } of records) await ledger.erasures.recorded(erasure)
  return new Map()
}

function problemOf(error: NodeJS.ErrnoException, path: string): string {
  const problem =
    error instanceof ErasuresUnreadableError
      ? error.message
      : `${path} cannot be written (${error.code ?? 'unknown reason'}). See that the disk has space, and that the account of the worker may write the file.`
  return `${problem} Nothing is erased before it is listed there.`
}

/**
 * Refuses to start on a ledger that lacks an erasure, and lists erasures that the file of this data directory lacks.
 * @throws ErasuresLostError, ErasuresUnreadableError
 */
export async function compareErasuresAtStart({ ledger, erasuresFile }: RecordTools): Promise<void> {
  const { erasures, damaged, isCutShort } = await erasuresFile.read()
  const lost = await ledger.erasures.lost(erasures)
  const [first] = lost
  if (first)
    throw new ErasuresLostError(
      `${erasuresFile.path} lists ${lost.length === 1 ? 'an erasure' : `${lost.length} erasures`} that this ledger lacks, at least in part (the first is ${first.line.erasure}, of ${first.line.at.slice(0, 10)}): it was restored from a backup, and has people in it who were forgotten. Run \`credsync forget --replay\`, then start again.`,
    )
  // A line that was cut short by a kill is written again. If the ledger knows of no such erasure, nobody will do that.
  const isExplained = !isCutShort || (await ledger.erasures.toRecord()).length > 0
  const unreadable = isExplained ? damaged : [...damaged, 'the last']
  if (unreadable.length > 0)
    throw new ErasuresUnreadableError(
      `${erasuresFile.path} has lines that cannot be read (${unreadable.join(', ')}), so no one can tell whether this ledger lacks the erasures in them. Restore the file from a copy; if there is none, forget the people concerned again, and remove these lines.`,
    )
  await erasuresFile.append(await ledger.erasures.recordsBeyond(erasures.map(({ erasure }) => erasure)))
}
