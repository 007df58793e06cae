// Reads the value of one planned field in one row, from its column or constant, and checks it. Pure.

import { type IsoReading, readIsoDate } from './calendar-date.ts'
import { birthDateBreach, cellBreach } from './cell-breach.ts'
import { checkValue } from './check-value.ts'
import { cleanText } from './clean-text.ts'
import { type PlannedField, placeOfColumn } from './column-plan.ts'
import type { Rules } from './compile-rules.ts'
import { dateBreach } from './date-breach.ts'
import { isNumberField } from './number-limits.ts'
import { type RowOrigin, remedyOfBreach } from './remedy-of-rule.ts'
import type { RowToCheck } from './row-to-check.ts'
import { readShownNumber } from './shown-number.ts'
import { textInFormula } from './text-formula.ts'
import { type Breach, type Violation, violation } from './violation.ts'

/**
 * @returns the value to send (cleaned, dates as YYYY-MM-DD; empty if there is none) and everything that is wrong with
 * it
 */
export function checkCell(
  source: RowToCheck,
  planned: PlannedField,
  rules: Rules,
  origin: RowOrigin = 'file',
): { value: string; violations: Violation[] } {
  const { field, source: fieldSource } = planned
  const rule = rules.byField.get(field.displayName)
  const takesDate = rule?.isDate || (fieldSource.kind === 'column' && fieldSource.date !== null)
  const takesStored = (number: string) => takesDate || isNumberField(field) || rule?.options?.has(number) === true
  const shown =
    fieldSource.kind === 'constant'
      ? { text: fieldSource.value, kind: undefined, breach: null }
      : readShownNumber(source.cells[fieldSource.index] ?? '', source.kinds?.[fieldSource.index], takesStored)
  const { text: raw, kind } = shown
  const cleaned = cleanText(fieldSource.kind === 'column' ? textInFormula(cleanText(raw)) : raw)

  let value = cleaned
  let breaches: Breach[] = []
  const cell = { value: cleaned, kind, planned, rule, takesDate: takesDate === true, today: rules.today }
  const cellFault = cellBreach(cell) ?? shown.breach
  if (cellFault) breaches = [cellFault]
  else if (cleaned !== '') {
    const reading = takesDate ? readDate(cleaned, kind, planned) : { date: cleaned }
    if ('date' in reading) {
      value = reading.date
      const birthBreach = takesDate && birthDateBreach(value, cell)
      if (birthBreach) breaches = [birthBreach]
      else if (rule) breaches = checkValue(value, rule)
    } else breaches = [dateBreach(reading.fault, kind, planned)]
  }
  const place = placeOfColumn(planned, source.row)
  const effectiveOrigin = fieldSource.kind === 'column' ? origin : 'file'
  const masking = takesDate ? 'shape' : 'mask'
  return {
    value,
    violations: breaches.map((breach) =>
      violation(place, cleaned, { ...breach, remedy: remedyOfBreach(breach, effectiveOrigin) }, masking),
    ),
  }
}

/**
 * Reads a date. A spreadsheet's date cell contains ISO text, whatever format is declared. Other cells follow the
 * declared format, or contain ISO text if none is declared. ISO text is also accepted under a declared format, unless
 * that format begins with the year, because ISO text is unambiguous and the files that credsync writes contain it.
 */
function readDate(value: string, kind: string | undefined, { source }: PlannedField): IsoReading {
  const declared = source.kind === 'column' ? source.date : null
  if (!declared || kind === 'date') return readIsoDate(value)
  const reading = declared.read(value)
  if ('date' in reading || reading.fault !== 'shape' || /^y/i.test(declared.text.trim())) return reading
  const iso = readIsoDate(value)
  return 'fault' in iso && iso.fault === 'shape' ? reading : iso
}
