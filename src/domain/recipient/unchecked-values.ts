// Reads the values of a row by a plan of its columns, valid or not. Pure.

import { damageKinds } from '#src/domain/recipient/damage/damage-kinds.ts'
import type { ColumnPlan } from './column-plan.ts'
import type { ViolationRule } from './violation.ts'

/** The values that are not empty, by display name. */
export function uncheckedValues(plan: ColumnPlan, cells: readonly string[]): Record<string, string> {
  const values = plan.map(({ field, source }) => [
    field.displayName,
    source.kind === 'constant' ? source.value : (cells[source.index]?.trim() ?? ''),
  ])
  return Object.fromEntries(values.filter(([, value]) => value !== ''))
}

// Lists the rules that an operator can let rest for a column, so that no real name is refused for ever because it looks
// damaged. The others stay: what the course demands, what cannot be sent, and what tells people apart. Pure.

export const rulesThatMayRest: readonly ViolationRule[] = [
  ...new Set(damageKinds.filter(({ neverRests }) => !neverRests).map(({ rule }) => rule)),
]
