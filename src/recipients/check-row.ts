// One row of a source file to one recipient record, or to the list of what is wrong with it.

import { checkCell } from './check-cell.ts'
import { checkPrimaryValue } from './check-primary-value.ts'
import type { ColumnPlan } from './column-plan.ts'
import type { Rules } from './compile-rules.ts'
import { findExample } from './example-row.ts'
import type { Violation } from './violation.ts'

export interface SourceRow {
  /** The row's number in its source, for people. */
  row: number
  /** The cells as text, in the order of the header; a missing one is empty. */
  cells: readonly string[]
  /** What the cells were in a spreadsheet; only number, date (the text is ISO), boolean and error make a difference. */
  kinds?: readonly string[]
}

export interface CheckedRow {
  /** Values by display name, only non-empty ones, without a prototype; null when there is any violation. */
  recipient: Record<string, string> | null
  /** Those of them that are in order, also where others are not. */
  values: Readonly<Record<string, string>>
  violations: Violation[]
}

/**
 * Checks a row against a plan without faults and the rules of the same field list. Values are trimmed and brought to NFC;
 * nothing else is changed or guessed, except that a date in a declared format is rewritten as YYYY-MM-DD. Never throws.
 */
export function checkRow(source: SourceRow, plan: ColumnPlan, rules: Rules): CheckedRow {
  // No prototype: the keys are the service's, and one called __proto__ or constructor must be a key like any other.
  const recipient: Record<string, string> = Object.create(null)
  const violations: Violation[] = []
  // A row of the template that somebody forgot: that its values are examples is all there is to say.
  const example = findExample(source, plan)
  if (example) return { recipient: null, values: {}, violations: [example] }
  for (const planned of plan) {
    const { value, violations: found } = checkCell(source, planned, rules)
    if (value !== '') recipient[planned.field.displayName] = value
    violations.push(...found)
  }
  violations.push(...checkPrimaryValue(source.row, plan, rules, recipient, violations))
  if (violations.length === 0) return { recipient, values: recipient, violations }
  const broken = new Set(violations.map(({ field }) => field))
  const values = Object.fromEntries(Object.entries(recipient).filter(([name]) => !broken.has(name)))
  return { recipient: null, values, violations }
}
