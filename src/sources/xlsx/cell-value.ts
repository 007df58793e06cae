// Turns what a workbook stores for one cell into text and its kind.

import type { CellKind } from '#src/sources/source.ts'
import { type NumberStyle, plainNumber, writeDigits } from './number-format.ts'
import { numberText } from './number-text.ts'
import { serialToIso } from './serial-date.ts'
import { unescapeText } from './text-collector.ts'

export interface StoredCell {
  /** The `t` of the cell; a number when it has none. */
  type: string | undefined
  /** The number of its style, 0 when it has none. */
  style: number
  /** What `v` holds. Undefined without one. */
  value: string | undefined
  /** The text written into the cell itself. */
  inline: string
  hasFormula: boolean
}

export interface CellBook {
  date1904: boolean
  styles: NumberStyle[]
  sharedString(index: number): string | undefined
}

export interface CellValue {
  text: string
  kind: CellKind
}

/**
 * Undefined when the cell refers to a text that is not there. A formula gives its last result and the kind of that: a number
 * has no more zeros in front for having been calculated.
 */
export function readCellValue(cell: StoredCell, book: CellBook): CellValue | undefined {
  const value = cell.value ?? ''
  // Some writers put the text of an inlineStr where other cells have theirs.
  if (cell.type === 'inlineStr') return textValue(cell.inline || unescapeText(value))
  if (value === '') return { text: '', kind: 'empty' }
  switch (cell.type) {
    case 's': {
      const text = book.sharedString(Number(value))
      return text === undefined ? undefined : textValue(text)
    }
    case 'str':
      return textValue(unescapeText(value))
    case 'b':
      return { text: value === '1' || value === 'true' ? 'TRUE' : 'FALSE', kind: 'boolean' }
    case 'e':
      return { text: value, kind: 'error' }
    case 'd':
      return { text: tidyIsoDate(value), kind: 'date' }
    default:
      return numberValue(value, book.styles[cell.style] ?? plainNumber, book.date1904)
  }
}

/** A formula that no program has calculated yet: its cell would look empty. A calculated empty text is not one. */
export function lacksResult(cell: StoredCell): boolean {
  if (!cell.hasFormula) return false
  return cell.value === undefined || (cell.value === '' && cell.type !== 'str')
}

function textValue(text: string): CellValue {
  return { text, kind: text === '' ? 'empty' : 'text' }
}

// Number() alone takes a blank for 0 and 0x10 for 16.
const decimal = /^\s*[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?\s*$/i

function numberValue(stored: string, style: NumberStyle, date1904: boolean): CellValue {
  const value = decimal.test(stored) ? Number(stored) : Number.NaN
  if (!Number.isFinite(value)) return { text: stored.trim(), kind: stored.trim() === '' ? 'empty' : 'error' }
  if (style.shows === 'date') {
    const text = serialToIso(value, date1904)
    if (text !== undefined) return { text, kind: 'date' }
  }
  if (style.shows === 'digits') {
    const text = writeDigits(value, style.pattern)
    if (text !== undefined) return { text, kind: 'text' }
  }
  return { text: numberText(value), kind: 'number' }
}

/** Strict workbooks write dates as text; a midnight they add is not a time anybody typed. */
function tidyIsoDate(stored: string): string {
  const parts = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d:\d\d)(?:\.\d+)?Z?)?$/.exec(stored)
  if (!parts) return stored
  const [, day = '', time = '00:00:00'] = parts
  return time === '00:00:00' ? day : `${day}T${time}`
}
