// Checks the primary value, which names the field that identifies a recipient: that field must exist and be filled.
// Pure.

import { type ColumnPlan, placeOfColumn } from './column-plan.ts'
import type { Rules } from './compile-rules.ts'
import { roleOf } from './field-role.ts'
import { nearestName } from './nearest-name.ts'
import { type Breach, type Violation, violation } from './violation.ts'

/**
 * Returns at most one violation. A field that already has a violation in `earlier`, because it is required and empty,
 * is not reported again.
 * @param values the row's values by display name, valid or not
 */
export function checkPrimaryValue(
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
