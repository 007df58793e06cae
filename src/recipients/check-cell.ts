// The value of one planned field in one row: read from its column or constant, and checked.

import { type IsoReading, readIsoDate } from './calendar-date.ts'
import { cellBreach } from './cell-breach.ts'
import type { SourceRow } from './check-row.ts'
import { checkValue } from './check-value.ts'
import { cleanText } from './clean-text.ts'
import { type PlannedField, placeOf } from './column-plan.ts'
import type { Rules } from './compile-rules.ts'
import { dateBreach } from './date-breach.ts'
import { textInFormula } from './text-formula.ts'
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
  const written = cleanText(from.kind === 'column' ? textInFormula(cleanText(raw)) : raw)
  const takesDate = rule?.isDate || (from.kind === 'column' && from.date !== null)

  let value = written
  let breaches: Breach[] = []
  const unfit = cellBreach({ value: written, kind, planned, rule, takesDate: takesDate === true })
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

/**
 * A spreadsheet's date cell is ISO text, whatever format is declared; text follows the declaration, or is ISO without one. ISO text is
 * taken under a declaration too, unless that begins with the year: no other day can be meant, and it is how date cells come back in
 * the files we write.
 */
function readDate(value: string, kind: string | undefined, { source }: PlannedField): IsoReading {
  const declared = source.kind === 'column' ? source.date : null
  if (!declared || kind === 'date') return readIsoDate(value)
  const reading = declared.read(value)
  if ('date' in reading || reading.fault !== 'shape' || /^y/i.test(declared.text.trim())) return reading
  const iso = readIsoDate(value)
  return 'fault' in iso && iso.fault === 'shape' ? reading : iso
}
