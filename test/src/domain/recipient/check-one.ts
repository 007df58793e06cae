// Checks one value through plan, rules and row, for the tests in this directory.

import { checkRow } from '#src/domain/recipient/check-row.ts'
import type { ColumnSpec } from '#src/domain/recipient/column-plan.ts'
import { compileRules } from '#src/domain/recipient/compile-rules.ts'
import type { Field } from '#src/domain/recipient/field.ts'
import { planColumns } from '#src/domain/recipient/plan-columns.ts'

/** Checks one value of one field. The value comes from a column with the field's name, unless `spec` says otherwise. */
export function checkOne(field: Field, value: string, kind?: string, spec?: ColumnSpec) {
  const { plan } = planColumns([field.displayName], spec ? { [field.displayName]: spec } : {}, [field])
  const source = { row: 7, cells: [value], ...(kind ? { kinds: [kind] } : {}) }
  const { recipient, violations } = checkRow(source, plan, compileRules([field]))
  return {
    value: recipient?.[field.displayName],
    broken: violations.map((violation) => violation.rule),
    violations,
    recipient,
  }
}
