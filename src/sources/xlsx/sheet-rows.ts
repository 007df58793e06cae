// Reads the rows of one sheet as they stream by.

import { columnLetters } from '#src/sources/column-letters.ts'
import { countIdle } from '#src/sources/count-idle.ts'
import { isFilled } from '#src/sources/is-filled.ts'
import type { CellKind, RowProblem, SourceRow } from '#src/sources/source.ts'
import type { Refuse } from '#src/sources/source-error.ts'
import type { SourceLimits } from '#src/sources/source-limits.ts'
import { type CellBook, type CellValue, lacksResult, readCellValue, type StoredCell } from './cell-value.ts'
import type { MergedColumns } from './merged-columns.ts'
import { collectText } from './text-collector.ts'
import { readUsualCell } from './usual-cell.ts'
import { walkXml } from './walk-xml.ts'
import type { Attributes, XmlVisitor } from './xml-visitor.ts'

const damaged = 'The rows of the sheet are damaged. Open it in a spreadsheet program and save it anew.'

export interface SeenRows {
  /** Rows with something in them that a person who opens the sheet does not see, mostly because of a filter. */
  hidden: number
  merged?: MergedColumns
}

/**
 * Gives the rows that hold anything, in groups as they come, and counts some of them in `seen`. Throws SourceError for
 * damage and above the limits.
 */
export async function* readSheetRows(
  chunks: AsyncIterable<Buffer>,
  book: CellBook,
  limits: SourceLimits,
  refuse: Refuse,
  seen: SeenRows = { hidden: 0 },
): AsyncGenerator<SourceRow[], void, undefined> {
  const gathered: SourceRow[] = []
  const visitor = gatherRows(gathered, book, limits, refuse, seen)
  for await (const _ of walkXml(chunks, visitor, limits, refuse)) {
    if (gathered.length > 0) yield gathered.splice(0)
  }
}

/** The elements of a sheet that matter, as a visitor that pushes every finished row to `rows`. */
function gatherRows(
  rows: SourceRow[],
  book: CellBook,
  limits: SourceLimits,
  refuse: Refuse,
  seen: SeenRows,
): XmlVisitor {
  const inline = collectText(limits, refuse)
  const idle = countIdle(limits, refuse)
  let row = openRow(0)
  let cell: StoredCell = emptyCell({})
  let column = -1

  const place = (value: CellValue) => {
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
  }
  const finishCell = () => {
    const value = readCellValue(cell, book)
    if (!value) throw refuse('damaged', damaged)
    if (value.text !== '') place(value)
    if (lacksResult(cell)) row.problem ??= uncalculated(column)
  }

  return {
    open(name, attributes, parent) {
      idle.add(1)
      if (name === 'row' && parent === 'sheetData') {
        row = openRow(readRowNumber(attributes.r, row.number, limits, refuse))
        row.hidden = /^(1|true|on)$/.test(attributes.hidden ?? '')
        column = -1
      } else if (name === 'c' && parent === 'row') {
        column = readColumn(attributes.r, column, refuse)
        cell = emptyCell(attributes)
        inline.drop()
      } else if (parent === 'c') {
        if (name === 'f') cell.hasFormula = true
        if (name === 'v') cell.value = ''
      } else if (name === 'mergeCell') seen.merged?.addRange(attributes.ref ?? '')
      inline.open(name, parent)
    },
    text(text, element) {
      if (element === 't') inline.text(text, element)
      if (element !== 'v' || cell.value === undefined) return
      cell.value += text
      if (cell.value.length > limits.cellCharacters) {
        throw refuse(
          'limit',
          `A cell in row ${row.number} is longer than ${limits.cellCharacters} characters, the limit. Shorten it.`,
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
        idle.end()
        seen.merged?.addRow(row.number)
      }
      if (row.hidden) seen.hidden++
    },
    leap(xml, at, parent) {
      const usual = parent === 'row' ? readUsualCell(xml, at) : undefined
      if (!usual || (usual.text?.length ?? 0) > limits.cellCharacters) return at
      idle.add(1)
      if (usual.column <= column) throw refuse('damaged', damaged)
      column = usual.column
      const { type, style, text } = usual
      const inside = type === 'inlineStr'
      cell = { type, style, value: inside ? undefined : text, inline: (inside && text) || '', hasFormula: false }
      finishCell()
      return usual.end
    },
  }
}

interface OpenRow {
  number: number
  hidden: boolean
  cells: string[]
  kinds: CellKind[]
  problem?: RowProblem
}

function openRow(number: number): OpenRow {
  return { number, hidden: false, cells: [], kinds: [] }
}

function emptyCell(attributes: Attributes): StoredCell {
  const style = Number(attributes.s ?? 0)
  return { type: attributes.t, style, value: undefined, inline: '', hasFormula: false }
}

function uncalculated(column: number): RowProblem {
  const sentence = `Column ${columnLetters(column)} holds a formula that was never calculated. Open the file in a spreadsheet program and save it.`
  return { rule: 'formula-without-value', sentence }
}

function finishRow({ number, cells, kinds, problem }: OpenRow): SourceRow {
  return { row: number, cells, kinds, ...(problem && { problem }) }
}

/** A row without a number follows the one before it; numbers that go back would hide one row behind another. */
function readRowNumber(stored: string | undefined, previous: number, limits: SourceLimits, refuse: Refuse): number {
  if (stored !== undefined && !/^\d{1,9}$/.test(stored)) throw refuse('damaged', damaged)
  const number = stored === undefined ? previous + 1 : Number(stored)
  if (number <= previous) throw refuse('damaged', damaged)
  if (number > limits.rows)
    throw refuse('limit', `The sheet goes beyond row ${limits.rows}, the limit. Send it in parts.`)
  return number
}

/** The column of a reference such as `AB12`, counted from 0; the next one when there is no reference. */
function readColumn(reference: string | undefined, previous: number, refuse: Refuse): number {
  if (reference === undefined) return previous + 1
  const column = columnIn(reference)
  if (column <= previous) throw refuse('damaged', damaged)
  return column
}

/** -1 when it is not one to three letters and then digits. Without a pattern, because every cell comes by here. */
function columnIn(reference: string): number {
  let column = 0
  let at = 0
  for (; at < reference.length; at++) {
    // Small letters too.
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
