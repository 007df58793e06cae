// Compiles the rules of a course's field list, once per list, for use on every row. Pure.

import { readIsoDate } from './calendar-date.ts'
import { cleanText } from './clean-text.ts'
import type { Use } from './damage/damage-kind.ts'
import { type Field, isChoiceField, isDateField } from './field.ts'
import { compilePattern, type FieldPattern } from './field-pattern.ts'
import { isPersonName, roleOf } from './field-role.ts'
import { type NumberLimits, numberLimitsOf } from './number-limits.ts'

export interface FieldRule {
  field: Field
  isDate: boolean
  /** What may be in a value, whatever the course requires. */
  use: Exclude<Use, 'birth date'>
  /** Null if there is no pattern, or it cannot be checked here. */
  pattern: FieldPattern | null
  /** The first and last allowed date, YYYY-MM-DD; null if not limited or if the meaning of the limit is unknown. */
  minDate: string | null
  maxDate: string | null
  /** Null if the field is not numeric or has no limits. */
  numbers: NumberLimits | null
  /** Null if the service lists no options. */
  options: ReadonlySet<string> | null
}

export interface Rules {
  fields: readonly Field[]
  /** Keyed by display name. */
  byField: ReadonlyMap<string, FieldRule>
  /** Patterns and date limits that only the service checks. */
  warnings: { field: string; sentence: string }[]
  /**
   * Display names of the fields that accept one value of a list, if the service does not provide the list. Any value
   * passes the check here.
   */
  unlistedChoices: string[]
  /** YYYY-MM-DD, so that nobody is born later; undefined where the day does not matter. */
  today?: string | undefined
}

/** Compiles a field list. A rule that cannot be checked becomes a warning and is left to the service. Never throws. */
export function compileRules(fields: readonly Field[], today?: string): Rules {
  const byField = new Map<string, FieldRule>()
  const warnings: Rules['warnings'] = []
  const unlistedChoices: string[] = []
  for (const field of fields) {
    const compiled = compilePattern(field.regex)
    if (compiled && 'refused' in compiled) {
      const start = `The pattern of “${field.displayName}” is not checked by credsync, because ${compiled.refused}.`
      warnings.push({
        field: field.displayName,
        sentence: `${start} The service checks the pattern when it receives the rows.`,
      })
    }
    const isDate = isDateField(field)
    const [minDate, maxDate] = isDate ? [dateLimit(field.min), dateLimit(field.max)] : [null, null]
    if (isDate && ((isSet(field.min) && !minDate) || (isSet(field.max) && !maxDate)))
      warnings.push({ field: field.displayName, sentence: unknownLimit(field) })
    const options = new Set(field.options.map(cleanText).filter((option) => option !== ''))
    // The allowed primary values are known without a list: they are the names of fields.
    const isPrimary = roleOf(field) === 'primary value'
    if (isChoiceField(field) && options.size === 0 && !isPrimary) unlistedChoices.push(field.displayName)
    byField.set(field.displayName, {
      field,
      isDate,
      use: roleOf(field) === 'email' ? 'address' : isPersonName(field) ? 'name' : 'text',
      pattern: compiled && 'test' in compiled ? compiled : null,
      minDate,
      maxDate,
      numbers: numberLimitsOf(field),
      options: options.size > 0 ? options : null,
    })
  }
  return { fields, byField, warnings, unlistedChoices, today }
}

function isSet(limit: Field['min']): boolean {
  return limit !== null && String(limit).trim() !== ''
}

function unknownLimit({ displayName }: Field): string {
  return `The first or last date that the course allows for “${displayName}” is not checked by credsync, because the service does not document what its limit means. The service checks the date when it receives the rows.`
}

/**
 * Reads a date field's min or max as a date. The service documents "number or null" without saying what the number
 * means. A number above 1e11 can only be milliseconds since 1970; a smaller one could be years or days. Refusing rows
 * on a guess would be worse than leaving them to the service.
 */
function dateLimit(limit: number | string | null): string | null {
  if (typeof limit === 'string') {
    const reading = readIsoDate(limit.trim())
    return 'date' in reading ? reading.date : null
  }
  if (limit === null || !(Math.abs(limit) > 1e11 && Math.abs(limit) <= 8.64e15)) return null
  const text = new Date(limit).toISOString()
  return /^\d{4}-/.test(text) ? text.slice(0, 10) : null
}
