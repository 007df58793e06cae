// Reads the values of a row before they are checked, and lists the rules that an operator can let rest for a column.
// Pure.

import { damageKinds } from '#src/domain/recipient/damage/damage-kinds.ts'
import type { ColumnPlan } from './column-plan.ts'
import type { ViolationRule } from './violation.ts'

/** Returns the values that are not empty, valid or not, by display name. */
export function uncheckedValues(plan: ColumnPlan, cells: readonly string[]): Record<string, string> {
  const values = plan.map(({ field, source }) => [
    field.displayName,
    source.kind === 'constant' ? source.value : (cells[source.index]?.trim() ?? ''),
  ])
  return Object.fromEntries(values.filter(([, value]) => value !== ''))
}

/**
 * The rules that an operator can let rest for a column, so that no real name is refused forever because it looks
 * damaged. The other rules always apply: what the course demands, what cannot be sent, and what tells people apart.
 */
export const rulesThatMayRest: readonly ViolationRule[] = [
  ...new Set(damageKinds.filter(({ neverRests }) => !neverRests).map(({ rule }) => rule)),
]
