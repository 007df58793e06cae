// Finds what makes a cell unusable, before the rules of its field are checked: errors, damaged text and values that a
// spreadsheet changed. Pure.

import { isBirthDateColumn, isDateOrTimeColumn, isIdentifierColumn } from './column-name-meaning.ts'
import type { PlannedField } from './column-plan.ts'
import type { FieldRule } from './compile-rules.ts'
import type { FilledCell } from './damage/damage-kind.ts'
import { damageOf } from './damage/damage-kinds.ts'
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
  /** See `Rules`. */
  today?: string | undefined
}

export const errorCell: Breach = {
  rule: 'error_cell',
  wrong: 'which is a spreadsheet error, not a value',
  remedy: 'Correct the formula in the cell, or enter its value.',
}

/** @returns the first problem of the cell, or null */
export function cellBreach(cell: CellToCheck): Breach | null {
  const { value, kind, planned } = cell
  if (kind === 'error' || isSpreadsheetError(value)) return errorCell
  if (value === '') {
    const { required, displayName } = planned.field
    if (!required) return null
    return { rule: 'required', wrong: `and the course requires “${displayName}”`, remedy: 'Fill it in.' }
  }
  return changedBySpreadsheet(cell) ?? damageOf(filledCell(cell), restingRules(planned))
}

/** @returns what is wrong with a date, YYYY-MM-DD, if the field takes a date of birth; else null */
export function birthDateBreach(value: string, cell: CellToCheck): Breach | null {
  const breach = damageOf(
    { ...filledCell(cell), value, use: 'birth date', today: cell.today },
    restingRules(cell.planned),
  )
  // The titles are checked last, because this is done for every date.
  return breach && titlesOf(cell.planned).some(isBirthDateColumn) ? breach : null
}

function filledCell({ value, kind, planned, rule, takesDate }: CellToCheck): FilledCell {
  const { use = 'text', options } = rule ?? {}
  return {
    value,
    kind,
    use: takesDate && use === 'name' ? 'text' : use,
    fromColumn: planned.source.kind === 'column',
    isOption: options?.has(value) === true,
  }
}

function restingRules({ source }: PlannedField): readonly string[] | undefined {
  return source.kind === 'column' ? source.resting : undefined
}

function titlesOf({ field, source }: PlannedField): string[] {
  return [field.name, field.displayName, source.kind === 'column' ? source.column : '']
}

/** Finds values that a spreadsheet changed when they were entered. */
function changedBySpreadsheet({ value, kind, planned, rule, takesDate }: CellToCheck): Breach | null {
  if (takesDate || rule?.options?.has(value)) return null
  const isShortened = /^\d([.,]\d+)?E\+\d{1,3}$/i.test(value)
  if (!isShortened && (kind === undefined || kind === 'text')) return null
  const { field } = planned
  const titles = titlesOf(planned)
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

// The error codes that spreadsheet programs show instead of a value, such as #REF!. In a CSV they are text in the
// language of the person who exported it (#REF!, #BEZUG!, #¡REF!, #NOM?), so they are matched by their form. Codes
// without a final ! or ? are listed.
const generalForm = /^#[¡¿]?\p{Lu}[\p{Lu}\d/_]*[!?]$/u
const listedCodes = new Set(['#N/A', '#NV', '#N/D', '#GETTING_DATA'])
// Programs show this, and some export it, for a column that is too narrow for its numbers.
const tooNarrow = /^#{3,}$/
// For errors without a code, LibreOffice writes a number from 501 to 540 after a word in its own language. Room:502 is
// not such an error.
const numbered =
  /^(?:err|error|erro|erreur|fout|fehler|fejl|feil|fel|virhe|chyba|błąd|hiba|hata|ошибка|помилка|σφάλμα|エラー|错误|錯誤|오류)\s?[:：]\s?5(?:[0-3]\d|40)$/iu
const maxNumberedLength = 14

/** @returns true if the whole value is an error code of a spreadsheet program */
export function isSpreadsheetError(value: string): boolean {
  if (value.charCodeAt(0) === 0x23) return listedCodes.has(value) || generalForm.test(value) || tooNarrow.test(value)
  return value.length < maxNumberedLength && /[:：]\s?5\d\d$/.test(value) && numbered.test(value)
}
