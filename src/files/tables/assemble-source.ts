// Builds a source from the raw rows of a format: splits off the header, checks every row against it, and yields
// batches. Reads the open table and touches nothing else.

import { basename } from 'node:path'
import { isWrittenByUs } from './added-columns.ts'
import { checkShape } from './check-shape.ts'
import { unguardFormula } from './formula-guard.ts'
import { isFilled } from './is-filled.ts'
import { maxWorkbookRows } from './max-workbook-rows.ts'
import { nameKey, readHeader } from './read-header.ts'
import type { MergedColumn, RawTable, Source, SourceRow } from './source.ts'
import { type Refuse, SourceError, toRefusal } from './source-error.ts'
import type { SourceLimits } from './source-limits.ts'

// Large enough that passing a batch on costs little compared with parsing it, and small enough for one insert.
const maxBatchRows = 500
// A batch is in memory twice, here and at its consumer, and 500 rows of the longest cells would take gigabytes.
const maxBatchCharacters = 4_000_000

/**
 * Reads the header and the first row below it, so that a table without rows is reported immediately.
 * @throws SourceError for a bad header, and for everything that the reader rejects before the first row
 */
export async function assembleSource(
  path: string,
  table: RawTable,
  limits: SourceLimits,
  refuse: Refuse,
): Promise<Source> {
  const { rows, format } = table
  const { header, headerRow, guarded, firstRows } = await closingOnError(table, () => readStart(table, limits, refuse))
  const notices = [...table.notices]
  if (firstRows.length === 0) notices.push('The file has a header and no rows below it.')
  const names = header.map(nameKey)
  const merged: MergedColumn[] = []
  let batchesTaken = false

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
      throw toRefusal(error, refuse, 'damaged', 'The file could not be read to its end. Save it again and resend it.')
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
    batches() {
      if (batchesTaken) throw refuse('already-read', 'The rows have already been read once. Open the file again.')
      batchesTaken = true
      return yieldBatches()
    },
    async [Symbol.asyncDispose]() {
      await rows.return()
      table.close?.()
    },
  }
}

async function readStart(table: RawTable, limits: SourceLimits, refuse: Refuse) {
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
        header = await readNames(first, table, limits, refuse)
        headerRow = first.row
      }
    }
    if (header && filled.length > 0) {
      await refuseWideName(header, filled[0] as SourceRow, headerRow, table, refuse)
      return { header, headerRow, guarded, firstRows: filled }
    }
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

async function readNames(first: SourceRow, table: RawTable, limits: SourceLimits, refuse: Refuse): Promise<string[]> {
  try {
    return readHeader(first, limits.columns, refuse)
  } catch (error) {
    const gap = error instanceof SourceError && error.code === 'header-empty'
    const gapAt = first.cells.findIndex((cell) => cell.trim() === '')
    const sentence = gap ? await table.explainGap?.(first.row, gapAt) : undefined
    throw sentence === undefined ? error : refuse('header-empty', sentence)
  }
}

/**
 * Refuses a header if its last name, or a title, is merged over several columns. Such a header has no gap between its
 * names, but its rows are longer.
 */
async function refuseWideName(
  header: string[],
  first: SourceRow,
  headerRow: number,
  table: RawTable,
  refuse: Refuse,
): Promise<void> {
  if (first.cells.length <= header.length) return
  const sentence = await table.explainGap?.(headerRow, header.length)
  if (sentence !== undefined) throw refuse('header-empty', sentence)
}

/** Compares only the first cell of nearly all rows. */
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
