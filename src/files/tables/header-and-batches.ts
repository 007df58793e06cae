// Builds a source from the raw rows of a format: splits off the header, checks every row against it, and yields
// batches. Reads the open table and touches nothing else.

import { basename } from 'node:path'
import { looksLikePerson } from '#src/domain/recipient/describe-first-row.ts'
import { isWrittenByUs } from './added-columns.ts'
import { checkShape, findForbidden } from './check-row-shape.ts'
import { columnLetters, isFilled } from './column-letters.ts'
import { unguardFormula } from './formula-guard.ts'
import type { MergedColumn, RawTable, Source, SourceRow } from './source.ts'
import { type Refuse, type SourceError, toRefusal } from './source-error.ts'
import { maxWorkbookRows, type TableReading } from './source-limits.ts'

// Large enough that passing a batch on costs little compared with parsing it, and small enough for one insert.
const maxBatchRows = 500
// A batch is in memory twice, here and at its consumer, and 500 rows of the longest cells would take gigabytes.
const maxBatchCharacters = 4_000_000

/**
 * Reads the header and the first row below it, so that a table without rows is reported immediately.
 * @throws SourceError for a bad header, and for everything that the reader rejects before the first row
 */
export async function assembleSource(path: string, table: RawTable, reading: TableReading): Promise<Source> {
  const { limits, refuse } = reading
  const { rows, format } = table
  const { header, headerRow, guarded, firstRows } = await closingOnError(table, () => readStart(table, reading))
  const notices = [...table.notices]
  if (firstRows.length === 0) notices.push('The file has a header and no rows below it.')
  const names = header.map(nameKey)
  const merged: MergedColumn[] = []

  async function* yieldBatches(): AsyncGenerator<SourceRow[]> {
    let batch: SourceRow[] = []
    let characters = 0
    let rowCount = 0
    let group = firstRows
    try {
      for (;;) {
        for (const row of group) {
          if (!isFilled(row.cells)) continue
          if (guarded) row.cells = row.cells.map(unguardFormula)
          if (areNames(row.cells, names)) throw refuseSecondTable(row, refuse)
          if (++rowCount > maxWorkbookRows) delete row.raw
          batch.push(checkShape(row, header.length, limits.cellCharacters, table.separator))
          characters += lengthOf(row)
          if (batch.length < maxBatchRows && characters < maxBatchCharacters) continue
          yield batch
          batch = []
          characters = 0
        }
        const next = await rows.next()
        if (next.done) break
        group = next.value
      }
      notices.push(...(table.lateNotices?.() ?? []))
      merged.push(...(table.mergedColumns?.() ?? []))
      if (batch.length > 0) yield batch
    } catch (error) {
      throw toRefusal(error, refuse)
    } finally {
      await rows.return()
    }
  }

  return {
    name: basename(path),
    format,
    separator: table.separator,
    header,
    notices,
    images: table.images ?? null,
    pictures: table.pictureRows?.filter((row) => row > headerRow).length || undefined,
    merged,
    batches: yieldBatches,
    async [Symbol.asyncDispose]() {
      await rows.return()
      table.close?.()
    },
  }
}

async function readStart(table: RawTable, { limits, refuse }: TableReading) {
  const { rows } = table
  let header: string[] | undefined
  let headerRow = 0
  let guarded = false
  for (;;) {
    const next = await rows.next()
    if (next.done) break
    const filled = next.value.filter((row) => isFilled(row.cells))
    if (!header) {
      const first = filled.shift()
      if (first) {
        guarded = table.format === 'csv' && isWrittenByUs(first.cells)
        if (guarded) first.cells = first.cells.map(unguardFormula)
        header = readHeader(first, limits.columns, refuse)
        headerRow = first.row
      }
    }
    if (header && filled.length > 0) return { header, headerRow, guarded, firstRows: filled }
  }
  if (!header) {
    const sentence = table.ifEmpty ?? 'The file has no filled row. Put the names of the columns in the first row.'
    throw refuse('header-missing', sentence)
  }
  return { header, headerRow, guarded, firstRows: [] }
}

async function closingOnError<T>(table: RawTable, read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    await table.rows.return()
    table.close?.()
    throw error
  }
}

/** For nearly all rows, only the first cell is compared. */
function areNames(cells: readonly string[], names: readonly string[]): boolean {
  return names.every((name, index) => nameKey(cells[index] ?? '') === name)
}

function refuseSecondTable({ row }: SourceRow, refuse: Refuse): SourceError {
  return refuse(
    'second-table',
    `Row ${row} has the names of the columns again: another table begins there. Send each table as a file of its own; or delete row ${row} if all rows belong to one list.`,
  )
}

function lengthOf(row: SourceRow): number {
  let characters = row.raw?.length ?? 0
  for (const cell of row.cells) characters += cell.length
  return characters
}

// The maximum length of an e-mail address. The pattern is not applied to longer cells, where it would be slow.
const maxAddressLength = 254
const maxShownLength = 60
const address = /^[^\s@]+@[^\s@](?=[^\s@.]*\.[^\s@])[^\s@]+$/

/**
 * Reads the column names: the trimmed names in the row `first`, without the unnamed columns at its end that exports
 * often have.
 * @throws SourceError if a name is missing, if one occurs twice (ignoring case, because the later column would silently
 * win), or if the row looks like a person's data
 */
function readHeader(first: SourceRow, columns: number, refuse: Refuse): string[] {
  const names = first.cells.map((cell) => cell.trim())
  while (names.at(-1) === '') names.pop()
  const location = `row ${first.row}`
  if (names.length > columns) {
    throw refuse(
      'limit',
      `The header (${location}) has ${names.length} columns; the limit is ${columns}. Remove some columns.`,
    )
  }
  if (names.some((name) => name.length <= maxAddressLength && address.test(name))) {
    throw refuse(
      'header-missing',
      `The first filled row (${location}) contains an e-mail address, so it is data and the names of the columns are missing. Put the names into a row above it.`,
    )
  }
  const seen = new Map<string, number>()
  for (const [index, name] of names.entries()) {
    const column = columnLetters(index)
    if (name === '') {
      const advice = 'Name it or delete it; merged cells of the header must be unmerged.'
      throw refuse('header-empty', `Column ${column} has no name in ${location}. ${advice}`)
    }
    if (findForbidden(name)) {
      throw refuse(
        'header-characters',
        `The name of column ${column} in ${location} contains characters that are not text. Check the encoding and export the file again.`,
      )
    }
    const key = nameKey(name)
    const earlier = seen.get(key)
    if (earlier !== undefined) {
      throw refuse(
        'header-duplicate',
        `Columns ${columnLetters(earlier)} and ${column} have the same name in ${location}${looksLikePerson(names) ? '' : `: “${name.slice(0, maxShownLength)}”`}. Rename or delete one of them.`,
      )
    }
    seen.set(key, index)
  }
  return names
}

/** Returns what is the same for all spellings of a column's name. */
function nameKey(name: string): string {
  return name.trim().normalize('NFC').toLowerCase()
}
