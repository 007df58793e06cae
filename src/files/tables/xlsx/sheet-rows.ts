// Streams the rows of one sheet of a workbook.

import { columnLetters, isFilled } from '#src/files/tables/column-letters.ts'
import type { CellKind, RawValue, RowProblem, SourceRow } from '#src/files/tables/source.ts'
import type { Refuse } from '#src/files/tables/source-error.ts'
import { limitEmptyCells, type TableReading } from '#src/files/tables/source-limits.ts'
import { type CellContext, type CellValue, lacksResult, readCellValue, type StoredCell } from './cell-value.ts'
import type { MergedColumns } from './merged-columns.ts'
import { collectText } from './text-collector.ts'
import { type Attributes, walkXml, type XmlVisitor } from './walk-xml.ts'

const damaged = 'The rows of the sheet are damaged. Open it in a spreadsheet program and save it again.'

export interface RowStatistics {
  /** The number of filled rows that the sheet hides, usually because of a filter. */
  hidden: number
  /** The number of rows whose filled cells are all struck through. */
  struck: number
  merged?: MergedColumns
}

/**
 * Yields filled rows in groups as they arrive, and updates `statistics`.
 * @throws SourceError if the sheet is damaged or exceeds a limit
 */
export async function* readSheetRows(
  chunks: AsyncIterable<Buffer>,
  book: CellContext,
  reading: TableReading,
  statistics: RowStatistics = { hidden: 0, struck: 0 },
): AsyncGenerator<SourceRow[], void, undefined> {
  const gathered: SourceRow[] = []
  const visitor = gatherRows(gathered, book, reading, statistics)
  for await (const _ of walkXml(chunks, visitor, reading)) {
    if (gathered.length > 0) yield gathered.splice(0)
  }
}

/** Makes a visitor that pushes every finished row of a sheet to `rows`. */
function gatherRows(
  rows: SourceRow[],
  book: CellContext,
  reading: TableReading,
  statistics: RowStatistics,
): XmlVisitor {
  const { limits, refuse } = reading
  const inline = collectText(reading)
  const emptyCellLimit = limitEmptyCells(reading)
  let row = openRow(0)
  let cell: StoredCell = emptyCell({})
  let column = -1

  const addCell = (value: CellValue) => {
    if (column >= limits.columns) {
      throw refuse(
        'limit',
        `Row ${row.number} has a cell in column ${column + 1}; the limit is ${limits.columns}. Delete the columns that are not needed.`,
      )
    }
    while (row.cells.length < column) {
      row.cells.push('')
      row.kinds.push('empty')
    }
    row.cells.push(value.text)
    row.kinds.push(value.kind)
    if (value.raw !== undefined) row.raw.push(rawValue(column, value.raw, value.format))
  }
  const finishCell = () => {
    const value = readCellValue(cell, book)
    if (!value) throw refuse('damaged', damaged)
    if (value.text !== '') {
      addCell(value)
      row.struck &&= book.styles[cell.style]?.struck === true
    }
    if (lacksResult(cell)) row.problem ??= uncalculated(column)
  }

  return {
    open(name, attributes, parent) {
      emptyCellLimit.add(1)
      if (name === 'row' && parent === 'sheetData') {
        row = openRow(readRowNumber(attributes.r, row.number, reading))
        row.hidden = /^(1|true|on)$/.test(attributes.hidden ?? '')
        column = -1
      } else if (name === 'c' && parent === 'row') {
        column = readColumn(attributes.r, column, refuse)
        cell = emptyCell(attributes)
        inline.drop()
      } else if (parent === 'c') {
        if (name === 'f') cell.hasFormula = true
        if (name === 'v') cell.value = ''
      } else if (name === 'mergeCell') statistics.merged?.addRange(attributes.ref ?? '')
      inline.open(name)
    },
    text(text, element) {
      if (element === 't') inline.text(text, element)
      if (element !== 'v' || cell.value === undefined) return
      cell.value += text
      if (cell.value.length > limits.cellCharacters) {
        throw refuse(
          'limit',
          `A cell in row ${row.number} is longer than the limit of ${limits.cellCharacters} characters. Shorten the cell.`,
        )
      }
    },
    close(name, parent) {
      inline.close(name)
      if (name === 'c' && parent === 'row') {
        if (cell.type === 'inlineStr') cell.inline = inline.take()
        finishCell()
      }
      if (name !== 'row' || parent !== 'sheetData' || row.cells.length === 0) return
      rows.push(finishRow(row))
      if (isFilled(row.cells)) {
        emptyCellLimit.reset()
        statistics.merged?.addRow(row.number)
      }
      if (row.hidden) statistics.hidden++
      if (row.struck) statistics.struck++
    },
  }
}

interface OpenRow {
  number: number
  hidden: boolean
  struck: boolean
  cells: string[]
  kinds: CellKind[]
  raw: RawValue[]
  problem?: RowProblem
}

function openRow(number: number): OpenRow {
  return { number, hidden: false, struck: true, cells: [], kinds: [], raw: [] }
}

function rawValue(column: number, value: number | boolean, format: string | undefined): RawValue {
  return format === undefined ? [column, value] : [column, value, format]
}

function emptyCell(attributes: Attributes): StoredCell {
  const style = Number(attributes.s ?? 0)
  return { type: attributes.t, style, value: undefined, inline: '', hasFormula: false }
}

function uncalculated(column: number): RowProblem {
  const sentence = `Column ${columnLetters(column)} contains a formula that was never calculated. Open the file in a spreadsheet program and save it.`
  return { rule: 'formula-without-value', sentence }
}

function finishRow({ number, cells, kinds, raw, problem }: OpenRow): SourceRow {
  return { row: number, cells, kinds, ...(raw.length > 0 && { raw: JSON.stringify(raw) }), ...(problem && { problem }) }
}

/**
 * Returns the number of a row. A row without a number follows the previous one. A number that is not greater than the
 * previous one is refused, because one row would hide another.
 */
function readRowNumber(stored: string | undefined, previous: number, { limits, refuse }: TableReading): number {
  if (stored !== undefined && !/^\d{1,9}$/.test(stored)) throw refuse('damaged', damaged)
  const number = stored === undefined ? previous + 1 : Number(stored)
  if (number <= previous) throw refuse('damaged', damaged)
  if (number > limits.rows)
    throw refuse('limit', `The sheet has more rows than the limit of ${limits.rows}. Split it into smaller ones.`)
  return number
}

/** Returns the column of a reference such as `AB12`, counted from 0; the next column if there is no reference. */
function readColumn(reference: string | undefined, previous: number, refuse: Refuse): number {
  if (reference === undefined) return previous + 1
  const column = columnIn(reference)
  if (column <= previous) throw refuse('damaged', damaged)
  return column
}

/**
 * Returns -1 if the reference is not one to three letters followed by digits. Uses no regular expression, because it
 * runs for every cell.
 */
function columnIn(reference: string): number {
  let column = 0
  let at = 0
  for (; at < reference.length; at++) {
    // Also accepts lowercase letters.
    const letter = (reference.charCodeAt(at) & ~0x20) - 0x40
    if (letter < 1 || letter > 26) break
    column = column * 26 + letter
  }
  if (at === 0 || at > 3) return -1
  for (; at < reference.length; at++) {
    const digit = reference.charCodeAt(at) - 0x30
    if (digit < 0 || digit > 9) return -1
  }
  return column - 1
}
