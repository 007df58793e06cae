// What the source was told, line by line, held against the sandbox's book (I5): `issued` with its credential, `failed` and `rejected` only
// where that is true. Also of files that a later one replaced, where `recordTold` was asked to keep them.

import { readFile } from 'node:fs/promises'
import { parse } from 'csv-parse/sync'
import type { HeldRequest } from '#src/sandbox/open-sandbox.ts'
import type { World } from '#test/support/world.ts'
import type { LedgerPicture, RowPicture, RunPicture } from './ledger-picture.ts'
import { type Book, readBook } from './sandbox-book.ts'
import { refusedAlone } from './standing.ts'

/** A results file as the source saw it once, and the sandbox's book of that moment. */
interface Telling {
  run: string
  text: Buffer
  requests: readonly HeldRequest[]
}

const records = new WeakMap<World['app']['ledger'], Telling[]>()

/** From now on keeps every results file that this world's app writes, before the next one takes its place. */
export function recordTold(world: World): void {
  const tellings: Telling[] = []
  const { ledger } = world.app
  records.set(ledger, tellings)
  const note = ledger.noteRunPaths
  ledger.noteRunPaths = async (run, paths) => {
    if (paths.results) tellings.push({ run, text: await readFile(paths.results), requests: world.sandbox.requests() })
    await note(run, paths)
  }
}

/** How many results files were kept. */
export function tellingsKept(world: World): number {
  return records.get(world.app.ledger)?.length ?? 0
}

/** I5, and of a run that is settled and told: what the source holds last is what the ledger says. */
export async function toldWrongly(world: World, ledger: LedgerPicture, book: Book): Promise<string[]> {
  const wrong = (records.get(world.app.ledger) ?? []).flatMap(({ run, text, requests }) => {
    const of = ledger.runs.find((each) => each.id === run)
    return of ? wrongLines(of, text, ledger, readBook(requests, ledger.rows, [])) : [`run ${run}: told, and unknown`]
  })
  for (const run of ledger.runs) {
    if (!run.resultsPath) {
      if (run.state === 'published' && (run.told ?? 0) > 0 && !run.ofCompletions)
        wrong.push(`${run.name}: told, and there is no file`)
      continue
    }
    const text = await readFile(run.resultsPath).catch(() => null)
    if (!text) wrong.push(`${run.name}: its results file is gone`)
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
  if (!lines) return [`${run.name}: a results file that has not one line for each row`]
  const attempts = new Map(ledger.attempts.map((attempt) => [attempt.id, attempt]))
  const isTrue = ({ outcome, row, status, credential }: Line): boolean => {
    const requests = row ? book.of(row) : []
    if (credential !== '' && !requests.some((each) => each.status === 3 && each.credentialId === credential))
      return false
    if (outcome === 'changed' && credential !== '') return false
    if (outcome !== 'accepted') return status === outcome
    if (status === 'issued' || status === 'revoked') return credential !== '' && row?.claims.length === 1
    if (credential !== '') return false
    if (status === 'rejected') return requests.some((each) => each.status === 4)
    if (status !== 'failed') return true
    return requests.length === 0
      ? row !== undefined && (refusedAlone(row, attempts) || decidedSince(row))
      : requests.some((each) => each.status === 7)
  }
  return lines.flatMap((line, at) => (isTrue(line) ? [] : [`${run.name}, line ${at + 1}: told ${line.status}`]))
}

/** A row that was refused, told so, and then sent again by a person: its last line is another one by now. */
function decidedSince({ history }: RowPicture): boolean {
  return history.some((line) => line.from === 'failed' && /^a person decided/.test(line.event))
}

function staleLines(run: RunPicture, text: Buffer, ledger: LedgerPicture): string[] {
  if (!run.settled || run.wanted === null || (run.told ?? 0) < run.wanted) return []
  return (readLines(run, text, ledger) ?? []).flatMap(({ outcome, row, status }, at) =>
    outcome === 'accepted' && row && row.state !== status
      ? [`${run.name}, line ${at + 1}: told ${status} last, and is ${row.state}`]
      : [],
  )
}

/** @returns null when the file is not whole */
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
    status: ours(records[at], 'status'),
    credential: ours(records[at], 'credential_id'),
  }))
}

/** Where the source has a column of the same name, ours has another. */
function ours(record: Record<string, string> | undefined, column: string): string {
  return record?.[`credsync_${column}`] ?? record?.[column] ?? ''
}
