// Converts the stored value of a workbook cell to text, and determines its kind. Pure.

import type { CellKind } from '#src/files/tables/source.ts'
import { type NumberStyle, plainNumber, writeDigits } from './number-format.ts'
import { showNumber } from './shown-number.ts'
import { unescapeText } from './text-collector.ts'

export interface StoredCell {
  /** The attribute `t` of the cell; undefined if it has none, which means a number. */
  type: string | undefined
  /** The number of the cell's style; 0 if it has none. */
  style: number
  /** The content of the element `v`; undefined if there is none. */
  value: string | undefined
  /** The text that is stored in the cell itself. */
  inline: string
  hasFormula: boolean
}

/** What the value of a cell depends on in its workbook. */
export interface CellContext {
  date1904: boolean
  styles: NumberStyle[]
  sharedString(index: number): string | undefined
}

export interface CellValue {
  text: string
  kind: CellKind
  /** The number or boolean in the cell itself; omitted for text, an error or the result of a formula. */
  raw?: number | boolean
  /** The number format of `raw`. */
  format?: string | undefined
}

/**
 * Returns undefined if the cell refers to a shared string that does not exist. The value of a formula is its last
 * result, with the kind of that result, because leading zeros are lost in a calculated number anyway.
 */
export function readCellValue(cell: StoredCell, book: CellContext): CellValue | undefined {
  const value = shownValue(cell, book)
  return value && cell.hasFormula ? { text: value.text, kind: value.kind } : value
}

function shownValue(cell: StoredCell, book: CellContext): CellValue | undefined {
  const value = cell.value ?? ''
  // Some programs write the text of an inlineStr cell where other cells have their value.
  if (cell.type === 'inlineStr') return textValue(cell.inline || unescapeText(value))
  if (value === '') return { text: '', kind: 'empty' }
  switch (cell.type) {
    case 's': {
      const text = book.sharedString(Number(value))
      return text === undefined ? undefined : textValue(text)
    }
    case 'str':
      return textValue(unescapeText(value))
    case 'b': {
      const raw = value === '1' || value === 'true'
      return { text: raw ? 'TRUE' : 'FALSE', kind: 'boolean', raw }
    }
    case 'e':
      return { text: value, kind: 'error' }
    case 'd':
      return isoValue(value, book.styles[cell.style] ?? plainNumber)
    default:
      return numberValue(value, book.styles[cell.style] ?? plainNumber, book.date1904)
  }
}

/**
 * Returns true for a formula that no program has calculated yet, so that the cell would look empty. An empty string is
 * a result.
 */
export function lacksResult(cell: StoredCell): boolean {
  if (!cell.hasFormula) return false
  return cell.value === undefined || (cell.value === '' && cell.type !== 'str')
}

function textValue(text: string): CellValue {
  return { text, kind: text === '' ? 'empty' : 'text' }
}

// Number() alone would read a blank as 0 and 0x10 as 16.
const decimal = /^\s*[-+]?(\d+(\.\d*)?|\.\d+)(e[-+]?\d+)?\s*$/i

function numberValue(stored: string, style: NumberStyle, date1904: boolean): CellValue {
  const value = decimal.test(stored) ? Number(stored) : Number.NaN
  if (!Number.isFinite(value)) return { text: stored.trim(), kind: stored.trim() === '' ? 'empty' : 'error' }
  const rawWithFormat = (raw: number) => (style.unwritable ? {} : { raw, format: style.code })
  if (style.shows === 'date') {
    const text = serialToIso(value, date1904)
    if (text !== undefined) return { text, kind: 'date', ...rawWithFormat(serialIn1900(value, date1904, style.code)) }
    // Spreadsheet programs show #### for a day outside the calendar, so no one has seen this number.
    return { text: numberText(value), kind: 'date', ...(date1904 ? {} : rawWithFormat(value)) }
  }
  if (style.shows === 'digits') {
    const text = writeDigits(value, style.pattern)
    if (text !== undefined) return { text, kind: 'text', ...rawWithFormat(value) }
  }
  const plain = numberText(value)
  const shown = style.forms ? showNumber(value, style.forms, numberText) : plain
  const kind = shown === null ? 'unshown' : shown === plain ? 'number' : (`number:${plain}` as const)
  return { text: shown ?? plain, kind, ...rawWithFormat(value) }
}

function isoValue(stored: string, { shows, code, unwritable }: NumberStyle): CellValue {
  const text = tidyIsoDate(stored)
  const raw = shows === 'date' && !unwritable ? isoToSerial(text) : undefined
  return { text, kind: 'date', ...(raw !== undefined && { raw, format: code }) }
}

/** Strict workbooks store dates as text, and add a midnight that no one typed. */
function tidyIsoDate(stored: string): string {
  const parts = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d:\d\d)(?:\.\d+)?Z?)?$/.exec(stored)
  if (!parts) return stored
  const [, day = '', time = '00:00:00'] = parts
  return time === '00:00:00' ? day : `${day}T${time}`
}

/**
 * Formats a number as a spreadsheet program shows it without a format, with 15 significant digits: 19.989999999999998
 * is 19.99. From 1e15 on, the last digits are already lost, so the number is written as 1.23E+15, which cannot be
 * mistaken for a register number.
 */
function numberText(value: number): string {
  if (Number.isSafeInteger(value) && Math.abs(value) < 1e15) return String(value)
  const rounded = Number(value.toPrecision(15))
  if (rounded === 0) return '0'
  if (Math.abs(rounded) >= 1e15) return rounded.toExponential().replace('e', 'E')
  return String(rounded).replace('e', 'E')
}

const dayMs = 86_400_000
const daySeconds = 86_400
const lastDay = 2_958_465 // 9999-12-31
const days1904 = 1_462

/**
 * Converts a day number to ISO text, rounded to the second: `45352` to `2024-03-01`, `45352.5` to
 * `2024-03-01T12:00:00`, and `0.5` to the time of day `12:00:00`. Returns undefined for numbers outside the calendar.
 * Only the UTC parts of a Date are used, because local ones shifted birthdays by a day.
 */
function serialToIso(serial: number, date1904: boolean): string | undefined {
  let day = Math.floor(serial)
  let seconds = Math.round((serial - day) * daySeconds)
  if (seconds === daySeconds) {
    day++
    seconds = 0
  }
  if (day < 0 || day > lastDay - (date1904 ? days1904 : 0)) return undefined
  const time = new Date(seconds * 1000).toISOString().slice(11, 19)
  if (day === 0 && (seconds > 0 || !date1904)) return time
  const date = date1904 ? isoDay(day + days1904) : isoDay1900(day)
  return seconds === 0 ? date : `${date}T${time}`
}

/** Corrects for day 60, 29 February 1900, which never existed: the number of every earlier day is one off. */
function isoDay1900(day: number): string {
  if (day === 60) return '1900-02-29'
  return isoDay(day < 60 ? day + 1 : day)
}

function isoDay(daysSince1899: number): string {
  return new Date(Date.UTC(1899, 11, 30) + daysSince1899 * dayMs).toISOString().slice(0, 10)
}

/**
 * Returns the day number that shows the same date in a workbook that counts from 1899-12-30. A time of day has no date,
 * and a duration (`[h]:mm`) shows its number, so neither is changed.
 */
function serialIn1900(serial: number, date1904: boolean, format = ''): number {
  const isTime = (serial > 0 && serial < 1) || /\[[hms]+\]/i.test(format)
  return date1904 && !isTime ? serial + days1904 : serial
}

/**
 * Returns the day number of `2024-03-01` or `2024-03-01T12:00:00`; undefined for any other text, and for days before
 * 1900-03-01, for which programs differ.
 */
function isoToSerial(text: string): number | undefined {
  if (!/^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d)?$/.test(text)) return undefined
  const serial = (Date.parse(text.length > 10 ? `${text}Z` : text) - Date.UTC(1899, 11, 30)) / dayMs
  return serial > 60 && serial < lastDay + 1 ? serial : undefined
}
