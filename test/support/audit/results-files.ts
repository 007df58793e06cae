// Compares every line of the results files with the sandbox's records (I5): `issued` needs its credential; `failed` and
// `rejected` must be true. It includes replaced files if `recordResultsFiles` kept them.

import { readFile } from 'node:fs/promises'
import { parse } from 'csv-parse/sync'
import type { HeldRequest } from '#sandboxes/service/open-sandbox.ts'
import type { World } from '#test/support/world.ts'
import type { LedgerPicture, RowPicture, RunPicture } from './ledger-picture.ts'
import { refusedAlone } from './row-states.ts'
import { type Book, readBook } from './sandbox-book.ts'

/** A results file as it was read, with the sandbox's records at that time. */
interface RecordedFile {
  run: string
  text: Buffer
  requests: readonly HeldRequest[]
}

const recordedFiles = new WeakMap<World['app']['ledger'], RecordedFile[]>()

/** Keeps a copy of every results file that this world's app writes from now on. */
export function recordResultsFiles(world: World): void {
  const files: RecordedFile[] = []
  const { ledger } = world.app
  recordedFiles.set(ledger, files)
  const notePaths = ledger.runs.notePaths
  ledger.runs.notePaths = async (run, paths) => {
    if (paths.results) files.push({ run, text: await readFile(paths.results), requests: world.sandbox.requests() })
    await notePaths(run, paths)
  }
}

/** I5. If a run is settled and its results are delivered, the last file must also agree with the ledger. */
export async function falseResults(world: World, ledger: LedgerPicture, book: Book): Promise<string[]> {
  const wrong = (recordedFiles.get(world.app.ledger) ?? []).flatMap(({ run, text, requests }) => {
    const picture = ledger.runs.find((each) => each.id === run)
    return picture
      ? wrongLines(picture, text, ledger, readBook(requests, ledger.rows, []))
      : [`run ${run}: has a results file, but is not in the ledger`]
  })
  for (const run of ledger.runs) {
    if (!run.resultsPath) {
      if (run.state === 'published' && (run.delivered ?? 0) > 0 && !run.hasCompletions)
        wrong.push(`${run.name}: delivered without a results file`)
      continue
    }
    const text = await readFile(run.resultsPath).catch(() => null)
    if (!text) wrong.push(`${run.name}: its results file is missing`)
    else wrong.push(...wrongLines(run, text, ledger, book), ...staleLines(run, text, ledger))
  }
  return [...new Set(wrong)]
}

interface Line {
  outcome: RunPicture['lines'][number]['outcome']
  row: RowPicture | undefined
  status: string
  credential: string
}

function wrongLines(run: RunPicture, text: Buffer, ledger: LedgerPicture, book: Book): string[] {
  const lines = readLines(run, text, ledger)
  if (!lines) return [`${run.name}: the results file does not have exactly one line per row`]
  const attempts = new Map(ledger.attempts.map((attempt) => [attempt.id, attempt]))
  const isTrue = ({ outcome, row, status, credential }: Line): boolean => {
    const requests = row ? book.requestsOf(row) : []
    if (credential !== '' && !requests.some((request) => request.status === 3 && request.credentialId === credential))
      return false
    if (outcome === 'changed' && credential !== '') return false
    if (outcome !== 'accepted') return status === outcome
    if (status === 'issued' || status === 'revoked') return credential !== '' && row?.claims.length === 1
    if (credential !== '') return false
    if (status === 'rejected') return requests.some((request) => request.status === 4)
    if (status !== 'failed') return true
    return requests.length === 0
      ? row !== undefined && (refusedAlone(row, attempts) || decidedSince(row))
      : requests.some((request) => request.status === 7)
  }
  return lines.flatMap((line, at) => (isTrue(line) ? [] : [`${run.name}, line ${at + 1}: reports ${line.status}`]))
}

/**
 * Whether a row was reported as refused and an operator then decided to send it again, so that its latest history line
 * is a different one.
 */
function decidedSince({ history }: RowPicture): boolean {
  return history.some((line) => line.from === 'failed' && /^a person decided/.test(line.event))
}

function staleLines(run: RunPicture, text: Buffer, ledger: LedgerPicture): string[] {
  if (!run.settled || run.wanted === null || (run.delivered ?? 0) < run.wanted) return []
  return (readLines(run, text, ledger) ?? []).flatMap(({ outcome, row, status }, at) =>
    outcome === 'accepted' && row && row.state !== status
      ? [`${run.name}, line ${at + 1}: last reported ${status}, but is ${row.state}`]
      : [],
  )
}

/** @returns null if the file is incomplete */
function readLines(run: RunPicture, text: Buffer, { rows }: LedgerPicture): Line[] | null {
  let records: Record<string, string>[]
  try {
    records = parse(text, { columns: true, bom: true })
  } catch {
    return null
  }
  if (records.length !== run.lines.length) return null
  const byId = new Map(rows.map((row) => [row.id, row]))
  return run.lines.map(({ outcome, issuance }, at) => ({
    outcome,
    row: byId.get(issuance ?? 0),
    status: addedColumn(records[at], 'status'),
    credential: addedColumn(records[at], 'credential_id'),
  }))
}

/** Returns a column that credsync added. Its name differs if the source already has a column of that name. */
function addedColumn(record: Record<string, string> | undefined, column: string): string {
  return record?.[`credsync_${column}`] ?? record?.[column] ?? ''
}
