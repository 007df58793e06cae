// The primary value names the field that says who a recipient is: that field must exist and be filled.

import { type ColumnPlan, placeOf } from './column-plan.ts'
import type { Rules } from './compile-rules.ts'
import { roleOf } from './field-role.ts'
import { nearestName } from './nearest-name.ts'
import { type Breach, type Violation, violation } from './violation.ts'

/**
 * Violations of the primary value, none or one; `values` are the row's values by display name, good or bad. A field that is among
 * those `told` already (it is required, and empty) is not told again as the one that the primary value names.
 */
export function checkPrimaryValue(
  row: number,
  plan: ColumnPlan,
  rules: Rules,
  values: Record<string, string>,
  told: readonly Violation[],
): Violation[] {
  const primary = plan.find(({ field }) => roleOf(field) === 'primary value')
  const named = primary && values[primary.field.displayName]
  if (primary === undefined || named === undefined) return []
  if (told.some((violation) => violation.field === named)) return []
  const breach = breachOf(named, rules, values)
  if (!breach) return []
  return [violation(placeOf(primary, row), named, breach)]
}

function breachOf(named: string, rules: Rules, values: Record<string, string>): Breach | null {
  if (!rules.byField.has(named)) {
    const names = rules.fields.map((field) => field.displayName)
    const near = nearestName(named, names)
    const remedy = near ? `Did you mean “${near}”?` : `Write one of: ${names.join(', ')}.`
    // The value itself is not shown: often it is the address or number that belongs into the named field.
    return { rule: 'primary_value', wrong: 'which must be the name of a field of the course', remedy }
  }
  if (values[named] !== undefined) return null
  const wrong = `which names the field “${named}”, and that is empty in this row`
  return { rule: 'primary_value', wrong, remedy: `Fill in “${named}”, or name a field that is filled.` }
}
