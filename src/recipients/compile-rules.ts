// The rules of a course's field list, compiled once per list and used for every row.

import { readIsoDate } from './calendar-date.ts'
import { cleanText } from './clean-text.ts'
import { type Field, isChoiceField, isDateField } from './field.ts'
import { compilePattern, type FieldPattern } from './field-pattern.ts'
import { roleOf } from './field-role.ts'
import { type NumberLimits, numberLimitsOf } from './number-limits.ts'

export interface FieldRule {
  field: Field
  isDate: boolean
  isEmail: boolean
  /** Null when there is none, or none that can be checked here. */
  pattern: FieldPattern | null
  /** The first and last date allowed, YYYY-MM-DD; null when not limited or when the limit's meaning is not known. */
  minDate: string | null
  maxDate: string | null
  /** Null when the field is none of numbers, or without limits. */
  numbers: NumberLimits | null
  /** Null when the service lists none. */
  options: ReadonlySet<string> | null
}

export interface Rules {
  fields: readonly Field[]
  /** By display name. */
  byField: ReadonlyMap<string, FieldRule>
  /** Patterns and date limits that are not checked here. */
  warnings: { field: string; sentence: string }[]
  /** Display names of the fields that take one of a list of values, and the list is not given: any value passes here. */
  unlistedChoices: string[]
}

/** Compiles a field list. What can't be checked is a warning and not a rule: the service judges it. Never throws. */
export function compileRules(fields: readonly Field[]): Rules {
  const byField = new Map<string, FieldRule>()
  const warnings: Rules['warnings'] = []
  const unlistedChoices: string[] = []
  for (const field of fields) {
    const compiled = compilePattern(field.regex)
    if (compiled && 'refused' in compiled) {
      const start = `The pattern of “${field.displayName}” is not checked here, because ${compiled.refused}.`
      warnings.push({ field: field.displayName, sentence: `${start} The service checks it when it gets the rows.` })
    }
    const isDate = isDateField(field)
    const [minDate, maxDate] = isDate ? [dateLimit(field.min), dateLimit(field.max)] : [null, null]
    if (isDate && ((isSet(field.min) && !minDate) || (isSet(field.max) && !maxDate)))
      warnings.push({ field: field.displayName, sentence: unknownLimit(field) })
    const options = new Set(field.options.map(cleanText).filter((option) => option !== ''))
    // What a primary value may be is known without a list: the name of a field.
    const isPrimary = roleOf(field) === 'primary value'
    if (isChoiceField(field) && options.size === 0 && !isPrimary) unlistedChoices.push(field.displayName)
    byField.set(field.displayName, {
      field,
      isDate,
      isEmail: roleOf(field) === 'email',
      pattern: compiled && 'test' in compiled ? compiled : null,
      minDate,
      maxDate,
      numbers: numberLimitsOf(field),
      options: options.size > 0 ? options : null,
    })
  }
  return { fields, byField, warnings, unlistedChoices }
}

function isSet(limit: Field['min']): boolean {
  return limit !== null && String(limit).trim() !== ''
}

function unknownLimit({ displayName }: Field): string {
  return `The first or last date that the course takes as “${displayName}” is not checked here, because the service does not say what its limit means. The service checks it when it gets the rows.`
}

/**
 * A date field's min or max as a date. The service documents "number or null" and not what the number means: one beyond 1e11
 * can only be milliseconds since 1970; a smaller one could be years or days, and refusing rows on a guess would be worse than
 * leaving them to the service.
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
