// One value through plan, rules and row, for the tests of this folder.

import { checkRow } from '#src/recipients/check-row.ts'
import type { ColumnSpec } from '#src/recipients/column-plan.ts'
import { compileRules } from '#src/recipients/compile-rules.ts'
import type { Field } from '#src/recipients/field.ts'
import { planColumns } from '#src/recipients/plan-columns.ts'

/** Checks one value of one field, from a column of the field's own name unless a spec says more. */
export function checkOne(field: Field, value: string, kind?: string, spec?: ColumnSpec) {
  const { plan } = planColumns([field.displayName], spec ? { [field.displayName]: spec } : {}, [field])
  const source = { row: 7, cells: [value], ...(kind ? { kinds: [kind] } : {}) }
  const { recipient, violations } = checkRow(source, plan, compileRules([field]))
  return { value: recipient?.[field.displayName], broken: violations.map((each) => each.rule), violations, recipient }
}
