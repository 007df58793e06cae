// Makes a valid recipient invalid, to find out how the service handles a batch with one bad recipient. Pure.

import { checkValue } from '#src/domain/recipient/check-value.ts'
import type { FieldRule, Rules } from '#src/domain/recipient/compile-rules.ts'
import { isDateField } from '#src/domain/recipient/field.ts'
import { roleOf } from '#src/domain/recipient/field-role.ts'

export interface Corruption {
  values: Record<string, string>
  /** Which rule was broken, for example `First Name is empty`. */
  broke: string
}

/** Longer length limits are not tested: a value of a million letters would test something else. */
const maxTestedLength = 2_000

/**
 * Breaks one rule of the field list, and keeps the values that identify the person in the report. The first choice is
 * an empty required field, because every service checks required fields. Null if the list has no rule to break.
 */
export function corruptValue(values: Readonly<Record<string, string>>, { fields, byField }: Rules): Corruption | null {
  const rules = fields.flatMap((field) => byField.get(field.displayName) ?? [])
  const breakable = rules.filter(({ field }) => !['primary value', 'email', 'phone'].includes(roleOf(field) ?? ''))
  const attempts = [
    ...breakable.map(emptyRequired),
    ...breakable.map(breakDate),
    ...breakable.map(exceedLength),
    ...breakable.map(breakPattern),
  ]
  // The e-mail address comes last: if the service accepts an invalid address, the person can be recognized only by
  // name.
  const last = rules.filter(({ field }) => roleOf(field) === 'email').map(breakPattern)
  const found = [...attempts, ...last].find((each) => each !== null)
  if (!found) return null
  const corrupted: Record<string, string> = Object.assign(Object.create(null), values)
  if (found.value === null) delete corrupted[found.field]
  else corrupted[found.field] = found.value
  return { values: corrupted, broke: found.broke }
}

interface BrokenField {
  field: string
  /** Null if the field is left out. */
  value: string | null
  broke: string
}

function emptyRequired({ field }: FieldRule): BrokenField | null {
  const { displayName } = field
  return field.required ? { field: displayName, value: null, broke: `${displayName} is empty` } : null
}

function breakDate({ field }: FieldRule): BrokenField | null {
  const { displayName } = field
  return isDateField(field) ? { field: displayName, value: 'no date', broke: `${displayName} is not a date` } : null
}

function exceedLength({ field }: FieldRule): BrokenField | null {
  const { displayName, maxLength } = field
  if (maxLength === null || maxLength < 1 || maxLength > maxTestedLength) return null
  return { field: displayName, value: 'x'.repeat(maxLength + 1), broke: `${displayName} is too long` }
}

function breakPattern(rule: FieldRule): BrokenField | null {
  const { displayName } = rule.field
  const value = ['!', 'x', '0'].find((each) => rule.pattern !== null && checkValue(each, rule).length > 0)
  return value ? { field: displayName, value, broke: `${displayName} does not match its pattern` } : null
}
