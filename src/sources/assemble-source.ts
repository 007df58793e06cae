// Makes a source of a format's raw rows: takes the header off, checks every row against it, and deals out batches.

import { basename } from 'node:path'
import { checkShape } from './check-shape.ts'
import { readHeader } from './read-header.ts'
import type { RawTable, Source, SourceRow } from './source.ts'
import { asRefusal, type Refuse } from './source-error.ts'
import type { SourceLimits } from './source-limits.ts'

// Large enough that handing over costs nothing beside parsing, small enough for one insert.
const batchRows = 500

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
  const { header, waiting } = await closingOnError(rows, () => readLead(rows, limits, refuse))
  const notices = [...table.notices]
  if (waiting.length === 0) notices.push('The file has a header and no rows under it.')
  let taken = false

  async function* deal(): AsyncGenerator<SourceRow[]> {
    let batch: SourceRow[] = []
    let group = waiting
    try {
      for (;;) {
        for (const row of group) {
          if (!isFilled(row)) continue
          batch.push(checkShape(row, header.length, limits.cellCharacters, format === 'csv'))
          if (batch.length < batchRows) continue
          yield batch
          batch = []
        }
        const next = await rows.next()
        if (next.done) break
        group = next.value
      }
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
    header,
    notices,
    batches() {
      if (taken) throw refuse('already-read', 'The rows were already read once. Open the file again.')
      taken = true
      return deal()
    },
    async [Symbol.asyncDispose]() {
      await rows.return()
    },
  }
}

async function readLead(rows: RawTable['rows'], limits: SourceLimits, refuse: Refuse) {
  let header: string[] | undefined
  for (;;) {
    const next = await rows.next()
    if (next.done) break
    const filled = next.value.filter(isFilled)
    if (!header) {
      const first = filled.shift()
      if (first) header = readHeader(first, limits.columns, refuse)
    }
    if (header && filled.length > 0) return { header, waiting: filled }
  }
  if (!header)
    throw refuse('header-missing', 'The file has no filled row. Put the names of the columns in the first row.')
  return { header, waiting: [] }
}

async function closingOnError<T>(rows: RawTable['rows'], read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    await rows.return()
    throw error
  }
}

function isFilled(row: SourceRow): boolean {
  return row.cells.some((cell) => cell !== '' && cell.trim() !== '')
}
