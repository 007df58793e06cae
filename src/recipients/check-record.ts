// A recipient record that comes from no file: its values by the course's field list, as a row's cells are checked.

import { checkRow } from './check-row.ts'
import { compileRules, type Rules } from './compile-rules.ts'
import type { Field } from './field.ts'
import type { Violation } from './violation.ts'

/**
 * Values are trimmed and brought to NFC, and dates are YYYY-MM-DD. Values of fields that the course does not have are left out.
 * @param values by display name
 * @returns the record as it may be sent, or everything that is wrong with it
 */
export function checkRecord(
  values: Readonly<Record<string, string>>,
  fields: readonly Field[],
): { recipient: Record<string, string> | null; violations: Violation[] } {
  const rules: Rules = compileRules(fields)
  const filled = fields.filter((field) => field.required || values[field.displayName] !== undefined)
  const plan = filled.map((field) => ({
    field,
    source: { kind: 'constant' as const, value: values[field.displayName] ?? '' },
  }))
  return checkRow({ row: 0, cells: [] }, plan, rules)
}
