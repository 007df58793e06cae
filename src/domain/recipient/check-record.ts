// Checks a recipient record that does not come from a file against the course's field list, in the same way as the
// cells of a row. Pure.

import { checkRow } from './check-row.ts'
import { compileRules, type Rules } from './compile-rules.ts'
import type { Field } from './field.ts'
import type { Violation } from './violation.ts'

/**
 * Trims values, normalizes them to NFC and writes dates as YYYY-MM-DD. Values of fields that the course does not have
 * are left out.
 * @param values by display name
 * @returns the record as it may be sent, or everything that is wrong with it
 */
export function checkRecord(
  values: Readonly<Record<string, string>>,
  fields: readonly Field[],
): { recipient: Record<string, string> | null; violations: Violation[] } {
  const rules: Rules = compileRules(fields)
  const plan = fields.map((field) => ({
    field,
    source: { kind: 'constant' as const, value: values[field.displayName] ?? '' },
  }))
  return checkRow({ row: 0, cells: [] }, plan, rules)
}
