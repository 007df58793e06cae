// Makes one good recipient bad, on purpose: the service shall show what one bad one does to a batch. Pure.

import { checkValue } from '#src/recipients/check-value.ts'
import type { FieldRule, Rules } from '#src/recipients/compile-rules.ts'
import { isDateField } from '#src/recipients/field.ts'
import { roleOf } from '#src/recipients/field-role.ts'

export interface Spoiling {
  values: Record<string, string>
  /** In words, such as `First Name is empty`. */
  broke: string
}

/** The lengths worth sending: a text of a million letters would test something else. */
const longestTried = 2_000

/**
 * Breaks one rule of the field list and keeps the values by which the report shows the person. A required field left empty comes
 * first: every service checks that. Null when the list has no rule to break.
 */
export function spoil(values: Readonly<Record<string, string>>, { fields, byField }: Rules): Spoiling | null {
  const rules = fields.flatMap((field) => byField.get(field.displayName) ?? [])
  const open = rules.filter(({ field }) => !['primary value', 'email', 'phone'].includes(roleOf(field) ?? ''))
  const attempts = [...open.map(emptied), ...open.map(misdated), ...open.map(lengthened), ...open.map(misspelt)]
  // The address itself last of all: a bad one that is taken could then only be known by its names.
  const last = rules.filter(({ field }) => roleOf(field) === 'email').map(misspelt)
  const found = [...attempts, ...last].find((each) => each !== null)
  if (!found) return null
  const spoiled: Record<string, string> = Object.assign(Object.create(null), values)
  if (found.value === null) delete spoiled[found.field]
  else spoiled[found.field] = found.value
  return { values: spoiled, broke: found.broke }
}

interface Breaking {
  field: string
  /** Null to leave it out. */
  value: string | null
  broke: string
}

function emptied({ field }: FieldRule): Breaking | null {
  const { displayName } = field
  return field.required ? { field: displayName, value: null, broke: `${displayName} is empty` } : null
}

function misdated({ field }: FieldRule): Breaking | null {
  const { displayName } = field
  return isDateField(field) ? { field: displayName, value: 'no date', broke: `${displayName} is no date` } : null
}

function lengthened({ field }: FieldRule): Breaking | null {
  const { displayName, maxLength } = field
  if (maxLength === null || maxLength < 1 || maxLength > longestTried) return null
  return { field: displayName, value: 'x'.repeat(maxLength + 1), broke: `${displayName} is too long` }
}

function misspelt(rule: FieldRule): Breaking | null {
  const { displayName } = rule.field
  const value = ['!', 'x', '0'].find((each) => rule.pattern !== null && checkValue(each, rule).length > 0)
  return value ? { field: displayName, value, broke: `${displayName} is not written as its pattern wants` } : null
}
