// Turns one row of a source file into a recipient record, or into a list of what is wrong with it. Pure.

import { checkCell } from './check-cell.ts'
import { checkPrimaryValue } from './check-primary-value.ts'
import type { ColumnPlan } from './column-plan.ts'
import type { Rules } from './compile-rules.ts'
import { findExample } from './example-row.ts'
import type { RowOrigin } from './remedy-of-rule.ts'
import type { RowToCheck } from './row-to-check.ts'
import type { Violation } from './violation.ts'

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
  // A forgotten example row of the template gets this one violation and no other.
  const example = findExample(source, plan)
  if (example) return { recipient: null, values: {}, violations: [example] }
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
