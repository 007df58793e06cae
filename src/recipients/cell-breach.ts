// What makes a cell unfit before its field's own rules are asked.

import type { PlannedField } from './column-plan.ts'
import type { FieldRule } from './compile-rules.ts'
import { hasLostLetter, isMisread } from './damaged-letters.ts'
import { isErrorSign } from './error-sign.ts'
import { roleOf } from './field-role.ts'
import { losesZeros } from './lost-zeros.ts'
import { tellsTime } from './tells-time.ts'
import { isFormula } from './text-formula.ts'
import { unfitText } from './unfit-text.ts'
import type { Breach } from './violation.ts'

export interface CellInQuestion {
  /** Cleaned. */
  value: string
  /** What the cell was in a spreadsheet; undefined in a CSV and for a constant. */
  kind: string | undefined
  planned: PlannedField
  rule: FieldRule | undefined
  /** The field takes a date, or the configuration says how the column writes one. */
  takesDate: boolean
}

/** The first thing that makes the cell unfit, if anything. */
export function cellBreach(cell: CellInQuestion): Breach | null {
  const { value, kind, planned } = cell
  if (kind === 'error' || isErrorSign(value)) {
    const wrong = 'which is an error of the spreadsheet and not a value'
    return { rule: 'error_cell', wrong, remedy: 'Correct the formula in the cell, or write its value.' }
  }
  if (value === '') {
    const { required, displayName } = planned.field
    if (!required) return null
    return { rule: 'required', wrong: `and the course requires “${displayName}”`, remedy: 'Fill it in.' }
  }
  return unfitText(value) ?? unfitWriting(cell) ?? unfitKind(cell)
}

/** What the way into the file did to a text. */
function unfitWriting({ value, kind, planned, rule }: CellInQuestion): Breach | null {
  // The part of an address before the @ may be quoted.
  if (!rule?.isEmail && planned.source.kind === 'column' && isMisquoted(value, kind)) {
    const wrong = 'which has quotation marks that a CSV file writes otherwise'
    return { rule: 'quotation_mark', wrong, remedy: 'Take the quotation marks out, or write “ and ” in their place.' }
  }
  if (/^'+[=+\-@]/.test(value)) {
    const wrong = 'which begins with an apostrophe that only keeps a spreadsheet from calculating'
    return { rule: 'apostrophe', wrong, remedy: 'Delete the apostrophe.' }
  }
  if (isFormula(value) && planned.source.kind === 'column' && !rule?.options?.has(value)) {
    const wrong = 'which is a formula that was not calculated'
    const remedy = 'Write its value in its place: in a spreadsheet program copy the column and paste the values only.'
    return { rule: 'formula', wrong, remedy }
  }
  if (!isMisread(value) && !(hasLostLetter(value) && isName(planned))) return null
  const wrong = 'which has letters that were damaged on the way into the file'
  const remedy = 'Export the file again as UTF-8, or type the value again.'
  return { rule: 'damaged_letters', wrong, remedy }
}

function isName({ field }: PlannedField): boolean {
  const role = roleOf(field)
  return role === 'first name' || role === 'last name'
}

// In front of a word and behind one.
const opening = /^[\s(–—-]?"\S$/
const closing = /^\S"[\s,.;:!?)–—-]?$/

/**
 * A quoted cell with a quotation mark inside that is not doubled keeps all its marks, and is told by the first and the last, which then
 * enclose the others: `"Bo" Jensen` and `"Bo" and "Jo"` are values that were written rightly. In a workbook marks are only text; a backslash
 * before one is a program's way to write a mark, in any format.
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

/** What a spreadsheet made of something that was typed. */
function unfitKind({ value, kind, planned, rule, takesDate }: CellInQuestion): Breach | null {
  if (takesDate || rule?.options?.has(value)) return null
  const shortened = /^\d([.,]\d+)?E\+\d{1,3}$/i.test(value)
  if (!shortened && (kind === undefined || kind === 'text')) return null
  const { field, source } = planned
  const titles = [field.name, field.displayName, source.kind === 'column' ? source.column : '']
  const again = 'Format the column as text and enter the values again.'
  if (kind === 'number' && titles.some(losesZeros)) {
    const wrong = 'which the spreadsheet keeps as a number, so leading zeros and plus signs may be gone'
    return { rule: 'number_lost_zeros', wrong, remedy: again }
  }
  if (shortened && titles.some(losesZeros)) {
    const wrong = 'which is a number that the spreadsheet shortened, so its last digits are gone'
    return { rule: 'number_shortened', wrong, remedy: again }
  }
  if (kind === 'boolean') {
    const wrong = 'which the spreadsheet keeps as true or false, and not as text'
    return { rule: 'boolean_cell', wrong, remedy: 'Format the cell as text and enter the value again.' }
  }
  if (kind === 'date' && !titles.some(tellsTime)) {
    const wrong = 'which the spreadsheet keeps as a date or time, and the field takes a text'
    const remedy = `Format the cell as text and enter the value again; if it is a date, declare that under columns: ${field.displayName}: { column: ${titles[2]}, date: YYYY-MM-DD }.`
    return { rule: 'date_cell', wrong, remedy }
  }
  return null
}
