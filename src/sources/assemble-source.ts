// Makes a source of a format's raw rows: takes the header off, checks every row against it, and deals out batches.

import { basename } from 'node:path'
import { checkShape } from './check-shape.ts'
import { unguardFormula } from './formula-guard.ts'
import { isFilled } from './is-filled.ts'
import { isOfOurs } from './our-columns.ts'
import { readHeader } from './read-header.ts'
import type { MergedColumn, RawTable, Source, SourceRow } from './source.ts'
import { asRefusal, type Refuse, SourceError } from './source-error.ts'
import type { SourceLimits } from './source-limits.ts'

// Large enough that handing over costs nothing beside parsing, small enough for one insert.
const batchRows = 500
// A batch is held twice, here and where it is used; 500 rows of the longest cells would be gigabytes.
const batchCharacters = 4_000_000

/**
 * Reads the header and looks for the first row under it, so that a table of nothing says so at once.
 * Throws SourceError for a bad header and for whatever the reader finds on the way there.
 */
export async function assembleSource(
  path: string,
  table: RawTable,
  limits: SourceLimits,
  refuse: Refuse,
): Promise<Source> {
  const { rows, format } = table
  const { header, guarded, waiting } = await closingOnError(table, () => readLead(table, limits, refuse))
  const notices = [...table.notices]
  if (waiting.length === 0) notices.push('The file has a header and no rows under it.')
  const merged: MergedColumn[] = []
  let taken = false

  async function* deal(): AsyncGenerator<SourceRow[]> {
    let batch: SourceRow[] = []
    let characters = 0
    let group = waiting
    try {
      for (;;) {
        for (const row of group) {
          if (!isFilled(row.cells)) continue
          if (guarded) row.cells = row.cells.map(unguardFormula)
          batch.push(checkShape(row, header.length, limits.cellCharacters, format === 'csv'))
          characters += lengthOf(row)
          if (batch.length < batchRows && characters < batchCharacters) continue
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
      throw asRefusal(
        error,
        refuse,
        'damaged',
        'The file could not be read to its end. Save it again and send it anew.',
      )
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
    merged,
    batches() {
      if (taken) throw refuse('already-read', 'The rows were already read once. Open the file again.')
      taken = true
      return deal()
    },
    async [Symbol.asyncDispose]() {
      await rows.return()
      table.close?.()
    },
  }
}

async function readLead(table: RawTable, limits: SourceLimits, refuse: Refuse) {
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
        guarded = table.format === 'csv' && isOfOurs(first.cells)
        if (guarded) first.cells = first.cells.map(unguardFormula)
        header = await readNames(first, table, limits, refuse)
        headerRow = first.row
      }
    }
    if (header && filled.length > 0) {
      await refuseWideName(header, filled[0] as SourceRow, headerRow, table, refuse)
      return { header, guarded, waiting: filled }
    }
  }
  if (!header)
    throw refuse('header-missing', 'The file has no filled row. Put the names of the columns in the first row.')
  return { header, guarded, waiting: [] }
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
    const words = gap ? await table.explainGap?.(first.row, gapAt) : undefined
    throw words === undefined ? error : refuse('header-empty', words)
  }
}

/** A last name, or a title, that is merged over columns leaves no gap between names: only the rows are longer. */
async function refuseWideName(
  header: string[],
  first: SourceRow,
  headerRow: number,
  table: RawTable,
  refuse: Refuse,
): Promise<void> {
  if (first.cells.length <= header.length) return
  const words = await table.explainGap?.(headerRow, header.length)
  if (words !== undefined) throw refuse('header-empty', words)
}

function lengthOf(row: SourceRow): number {
  let characters = 0
  for (const cell of row.cells) characters += cell.length
  return characters
}
