// Turns one row of a source file into a recipient record, or into a list of what is wrong with it. Pure.

import { type IsoReading, readIsoDate } from './calendar-date.ts'
import { birthDateBreach, cellBreach } from './cell-breach.ts'
import { checkValue } from './check-value.ts'
import { cleanText } from './clean-text.ts'
import { type ColumnPlan, type PlannedField, placeOfColumn } from './column-plan.ts'
import type { Rules } from './compile-rules.ts'
import { dateBreach } from './date-breach.ts'
import { roleOf } from './field-role.ts'
import { nearestName } from './nearest-name.ts'
import { isNumberField } from './number-limits.ts'
import { type RowOrigin, remedyOfBreach } from './remedy-of-rule.ts'
import type { RowToCheck } from './row-to-check.ts'
import { textInFormula } from './text-formula.ts'
import { type Breach, type Violation, violation } from './violation.ts'
import { readShownNumber } from './who-is-meant.ts'

export interface CheckedRow {
  /** Non-empty values by display name, without a prototype; null if there is any violation. */
  recipient: Record<string, string> | null
  /** The valid values by display name, even if other values are not valid. */
  values: Readonly<Record<string, string>>
  violations: Violation[]
}

/**
 * Checks a row against a plan without faults and the rules of the same field list. Values are trimmed and normalized to
 * NFC, and a date in a declared format is rewritten as YYYY-MM-DD; nothing else is changed or guessed. Never throws.
 */
export function checkRow(source: RowToCheck, plan: ColumnPlan, rules: Rules, origin: RowOrigin = 'file'): CheckedRow {
  // The object has no prototype, because a key that comes from the service, such as __proto__ or constructor, must be
  // an ordinary key.
  const recipient: Record<string, string> = Object.create(null)
  const violations: Violation[] = []
  for (const planned of plan) {
    const { value, violations: found } = checkCell(source, planned, rules, origin)
    if (value !== '') recipient[planned.field.displayName] = value
    violations.push(...found)
  }
  violations.push(...checkPrimaryValue(source.row, plan, rules, recipient, violations))
  if (violations.length === 0) return { recipient, values: recipient, violations }
  const invalidFields = new Set(violations.map(({ field }) => field))
  const values = Object.fromEntries(Object.entries(recipient).filter(([name]) => !invalidFields.has(name)))
  return { recipient: null, values, violations }
}

/**
 * Reads the value of one planned field from its column or constant, and checks it.
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

/**
 * Checks the primary value, which names the field that identifies a recipient: that field must exist and be filled.
 * Returns at most one violation. A field that already has a violation in `earlier`, because it is required and empty,
 * is not reported again.
 * @param values the row's values by display name, valid or not
 */
function checkPrimaryValue(
  row: number,
  plan: ColumnPlan,
  rules: Rules,
  values: Record<string, string>,
  earlier: readonly Violation[],
): Violation[] {
  const primary = plan.find(({ field }) => roleOf(field) === 'primary value')
  const namedField = primary && values[primary.field.displayName]
  if (primary === undefined || namedField === undefined) return []
  if (earlier.some((violation) => violation.field === namedField)) return []
  const breach = breachOf(namedField, rules, values)
  if (!breach) return []
  return [violation(placeOfColumn(primary, row), namedField, breach)]
}

function breachOf(namedField: string, rules: Rules, values: Record<string, string>): Breach | null {
  if (!rules.byField.has(namedField)) {
    const names = rules.fields.map((field) => field.displayName)
    const near = nearestName(namedField, names)
    const remedy = near ? `Did you mean “${near}”?` : `Write one of: ${names.join(', ')}.`
    // The value itself is not shown, because often it is the address or number that belongs in the named field.
    return { rule: 'primary_value', wrong: 'which must be the name of a field of the course', remedy }
  }
  if (values[namedField] !== undefined) return null
  const wrong = `which names the field “${namedField}”, and that field is empty in this row`
  return { rule: 'primary_value', wrong, remedy: `Fill in “${namedField}”, or name a field that is filled.` }
}
