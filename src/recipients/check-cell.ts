// The value of one planned field in one row: read from its column or constant, and checked.

import { type IsoReading, readIsoDate } from './calendar-date.ts'
import type { SourceRow } from './check-row.ts'
import { checkValue } from './check-value.ts'
import { cleanText } from './clean-text.ts'
import { type PlannedField, placeOf } from './column-plan.ts'
import type { Rules } from './compile-rules.ts'
import { dateBreach } from './date-breach.ts'
import { losesZeros } from './lost-zeros.ts'
import { unfitText } from './unfit-text.ts'
import { type Breach, type Violation, violation } from './violation.ts'

/** The value to send (cleaned, dates as YYYY-MM-DD; empty when there is none) and everything it breaks. */
export function checkCell(
  source: SourceRow,
  planned: PlannedField,
  rules: Rules,
): { value: string; violations: Violation[] } {
  const { field, source: from } = planned
  const rule = rules.byField.get(field.displayName)
  const raw = from.kind === 'constant' ? from.value : (source.cells[from.index] ?? '')
  const kind = from.kind === 'constant' ? undefined : source.kinds?.[from.index]
  const written = cleanText(raw)
  const takesDate = rule?.isDate || (from.kind === 'column' && from.date !== null)

  let value = written
  let breaches: Breach[] = []
  const unfit = unfitBreach(written, kind, planned, takesDate === true)
  if (unfit) breaches = [unfit]
  else if (written !== '') {
    const reading = takesDate ? readDate(written, kind, planned) : { date: written }
    if ('date' in reading) {
      value = reading.date
      if (rule) breaches = checkValue(value, rule)
    } else breaches = [dateBreach(reading.fault, kind, planned)]
  }
  const place = placeOf(planned, source.row)
  const show = takesDate ? 'shape' : 'mask'
  return { value, violations: breaches.map((breach) => violation(place, written, breach, show)) }
}

/** What makes a cell unfit before its field's own rules are asked, if anything. */
function unfitBreach(
  value: string,
  kind: string | undefined,
  planned: PlannedField,
  takesDate: boolean,
): Breach | null {
  const { field, source } = planned
  if (kind === 'error') {
    const wrong = 'which is an error of the spreadsheet and not a value'
    return { rule: 'error_cell', wrong, remedy: 'Correct the formula in the cell, or write its value.' }
  }
  if (value === '') {
    if (!field.required) return null
    return { rule: 'required', wrong: `and the course requires “${field.displayName}”`, remedy: 'Fill it in.' }
  }
  const unfit = unfitText(value)
  if (unfit) return unfit
  const titles = [field.name, field.displayName, source.kind === 'column' ? source.column : '']
  if (kind === 'number' && !takesDate && titles.some(losesZeros)) {
    const wrong = 'which the spreadsheet keeps as a number, so leading zeros and plus signs may be gone'
    return { rule: 'number_lost_zeros', wrong, remedy: 'Format the column as text and enter the values again.' }
  }
  return null
}

/** A spreadsheet's date cell is ISO text, whatever format is declared; text follows the declaration, or is ISO without one. */
function readDate(value: string, kind: string | undefined, { source }: PlannedField): IsoReading {
  const declared = source.kind === 'column' ? source.date : null
  return declared && kind !== 'date' ? declared.read(value) : readIsoDate(value)
}
