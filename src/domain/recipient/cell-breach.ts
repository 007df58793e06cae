// Finds what makes a cell unusable, before the rules of its field are checked: errors, damaged text and values that a
// spreadsheet changed. Pure.

import type { PlannedField } from './column-plan.ts'
import type { FieldRule } from './compile-rules.ts'
import { hasLostLetter, isMisread } from './damaged-letters.ts'
import { isDateOrTimeColumn } from './date-or-time-column.ts'
import { roleOf } from './field-role.ts'
import { isIdentifierColumn } from './identifier-column.ts'
import { isSpreadsheetError } from './spreadsheet-error-codes.ts'
import { isFormula } from './text-formula.ts'
import { unstorableText } from './unstorable-text.ts'
import type { Breach } from './violation.ts'

export interface CellToCheck {
  /** The cleaned value. */
  value: string
  /** The cell's type in a spreadsheet; undefined in a CSV and for a constant. */
  kind: string | undefined
  planned: PlannedField
  rule: FieldRule | undefined
  /** The field takes a date, or the configuration declares a date format for the column. */
  takesDate: boolean
}

/** @returns the first problem of the cell, or null */
export function cellBreach(cell: CellToCheck): Breach | null {
  const { value, kind, planned } = cell
  if (kind === 'error' || isSpreadsheetError(value)) {
    const wrong = 'which is a spreadsheet error, not a value'
    return { rule: 'error_cell', wrong, remedy: 'Correct the formula in the cell, or enter its value.' }
  }
  if (value === '') {
    const { required, displayName } = planned.field
    if (!required) return null
    return { rule: 'required', wrong: `and the course requires “${displayName}”`, remedy: 'Fill it in.' }
  }
  const resting = planned.source.kind === 'column' ? planned.source.resting : undefined
  const breaches = [...unstorableText(value), ...damagedText(cell)]
  return breaches.find((breach) => !resting?.includes(breach.rule)) ?? changedBySpreadsheet(cell)
}

/** Finds damage that a value suffered before it reached the file or the learning system. */
function damagedText({ value, kind, planned, rule }: CellToCheck): Breach[] {
  const breaches: Breach[] = []
  // The part of an e-mail address before the @ may be quoted.
  if (!rule?.isEmail && planned.source.kind === 'column' && isMisquoted(value, kind)) {
    const wrong = value.includes('\\"')
      ? 'which has quotation marks escaped with a backslash, as in program code'
      : 'which has quotation marks that are not doubled, as a CSV file requires'
    breaches.push({ rule: 'quotation_mark', wrong, remedy: 'Remove the quotation marks, or use “ and ” instead.' })
  }
  if (/^'+[=+\-@]/.test(value)) {
    const wrong = 'which begins with an apostrophe that only keeps a spreadsheet from running the rest as a formula'
    breaches.push({ rule: 'apostrophe', wrong, remedy: 'Delete the apostrophe.' })
  }
  if (isFormula(value) && planned.source.kind === 'column' && !rule?.options?.has(value)) {
    const wrong = 'which is a formula that was not calculated'
    const remedy =
      'Replace the formula with its value: in a spreadsheet program, copy the column and paste the values only.'
    breaches.push({ rule: 'formula', wrong, remedy })
  }
  if (isMisread(value) || (hasLostLetter(value) && isName(planned))) {
    const wrong = 'which has letters that another program damaged'
    const remedy = 'Export the file again as UTF-8, or type the value again.'
    breaches.push({ rule: 'damaged_letters', wrong, remedy })
  }
  return breaches
}

function isName({ field }: PlannedField): boolean {
  const role = roleOf(field)
  return role === 'first name' || role === 'last name'
}

// These match a quotation mark before a word, and one after a word.
const opening = /^[\s(–—-]?"\S$/
const closing = /^\S"[\s,.;:!?)–—-]?$/

/**
 * Detects a quoted CSV cell that contains a quotation mark which is not doubled. Such a cell keeps all its marks, so
 * its first and last characters are marks that enclose others. `"Bo" Jensen` and `"Bo" and "Jo"` are correct values. In
 * a workbook, quotation marks are plain text. A backslash before one is an escape that some programs write in any
 * format.
 */
function isMisquoted(value: string, kind: string | undefined): boolean {
  if (value.includes('\\"')) return true
  if (kind !== undefined || !value.startsWith('"') || !value.endsWith('"') || !value.slice(1, -1).includes('"'))
    return false
  const marks = [...value.matchAll(/"/g)].map(({ index }) => index)
  return !marks.every((at, count) =>
    count % 2 === 0
      ? opening.test(value.slice(Math.max(0, at - 1), at + 2))
      : closing.test(value.slice(at - 1, at + 2)),
  )
}

/** Finds values that a spreadsheet changed when they were entered. */
function changedBySpreadsheet({ value, kind, planned, rule, takesDate }: CellToCheck): Breach | null {
  if (takesDate || rule?.options?.has(value)) return null
  const isShortened = /^\d([.,]\d+)?E\+\d{1,3}$/i.test(value)
  if (!isShortened && (kind === undefined || kind === 'text')) return null
  const { field, source } = planned
  const titles = [field.name, field.displayName, source.kind === 'column' ? source.column : '']
  const remedyForColumn = 'Format the column as text and enter the values again.'
  if (kind === 'number' && titles.some(isIdentifierColumn)) {
    const wrong = 'which the spreadsheet stores as a number, so leading zeros and plus signs may be lost'
    return { rule: 'number_lost_zeros', wrong, remedy: remedyForColumn }
  }
  if (isShortened && titles.some(isIdentifierColumn)) {
    const wrong = 'which is a number that a spreadsheet shortened, so its last digits are lost'
    return { rule: 'number_shortened', wrong, remedy: remedyForColumn }
  }
  if (kind === 'boolean') {
    const wrong = 'which the spreadsheet stores as true or false, not as text'
    return { rule: 'boolean_cell', wrong, remedy: 'Format the cell as text and enter the value again.' }
  }
  // A plain number in a date cell is outside the calendar, so no field accepts it as a day or time.
  if (kind === 'date' && (!titles.some(isDateOrTimeColumn) || Number.isFinite(Number(value)))) {
    const wrong = 'which the spreadsheet stores as a date or time, but the field takes text'
    const remedy = `Format the cell as text and enter the value again; if it is a date, declare that under columns: ${field.displayName}: { column: ${titles[2]}, date: YYYY-MM-DD }.`
    return { rule: 'date_cell', wrong, remedy }
  }
  return null
}
