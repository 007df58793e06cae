// Reads the values of a row by a plan of its columns, valid or not. Pure.

import type { ColumnPlan } from './column-plan.ts'

/** The values that are not empty, by display name. */
export function uncheckedValues(plan: ColumnPlan, cells: readonly string[]): Record<string, string> {
  const values = plan.map(({ field, source }) => [
    field.displayName,
    source.kind === 'constant' ? source.value : (cells[source.index]?.trim() ?? ''),
  ])
  return Object.fromEntries(values.filter(([, value]) => value !== ''))
}
