// The rules of a course's field list, compiled once per list and used for every row.

import { readIsoDate } from './calendar-date.ts'
import { type Field, isDateField } from './field.ts'
import { compilePattern, type FieldPattern } from './field-pattern.ts'

export interface FieldRule {
  field: Field
  isDate: boolean
  /** Null when there is none, or none that can be checked here. */
  pattern: FieldPattern | null
  /** The first and last date allowed, YYYY-MM-DD; null when not limited or when the limit's meaning is not known. */
  minDate: string | null
  maxDate: string | null
  /** Null when the service lists none. */
  options: ReadonlySet<string> | null
}

export interface Rules {
  fields: readonly Field[]
  /** By display name. */
  byField: ReadonlyMap<string, FieldRule>
  /** Fields whose pattern is not checked here; one entry a field. */
  warnings: { field: string; sentence: string }[]
}

/** Compiles a field list. A pattern that can't be checked is a warning and not a rule: the service judges it. Never throws. */
export function compileRules(fields: readonly Field[]): Rules {
  const byField = new Map<string, FieldRule>()
  const warnings: Rules['warnings'] = []
  for (const field of fields) {
    const compiled = compilePattern(field.regex)
    if (compiled && 'refused' in compiled) {
      const start = `The pattern of “${field.displayName}” is not checked here, because ${compiled.refused}.`
      warnings.push({ field: field.displayName, sentence: `${start} The service checks it when it gets the rows.` })
    }
    const isDate = isDateField(field)
    const options = new Set(
      field.options.map((option) => option.normalize('NFC').trim()).filter((option) => option !== ''),
    )
    byField.set(field.displayName, {
      field,
      isDate,
      pattern: compiled && 'test' in compiled ? compiled : null,
      minDate: isDate ? dateLimit(field.min) : null,
      maxDate: isDate ? dateLimit(field.max) : null,
      options: options.size > 0 ? options : null,
    })
  }
  return { fields, byField, warnings }
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
