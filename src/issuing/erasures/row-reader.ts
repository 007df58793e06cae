// Reads a row that was refused, or a completion, as its pipeline would: which field has which value, and which values
// are not valid. Pure.

import type { PipelineSettings } from '#config/schema.ts'
import type { ReadRow } from '#src/domain/credential/row-traces.ts'
import { checkRow } from '#src/domain/recipient/check-row.ts'
import type { ColumnSpec } from '#src/domain/recipient/column-plan.ts'
import { compileRules } from '#src/domain/recipient/compile-rules.ts'
import type { Field } from '#src/domain/recipient/field.ts'
import { planColumns } from '#src/domain/recipient/plan-columns.ts'
import { uncheckedValues } from '#src/domain/recipient/unchecked-values.ts'
import { findAddedColumns } from '#src/files/tables/added-columns.ts'

/** @returns a function that reads a row; null if the header has none of the pipeline's columns */
export function openRowReader(settings: Pick<PipelineSettings, 'columns'>, fields: readonly Field[]) {
  const rules = compileRules(fields)
  return (header: readonly string[], cells: readonly string[]): ReadRow | null => {
    const added = findAddedColumns(header)
    const titles = header.map((title, at) => (added.all.has(at) ? '' : title))
    const { plan } = planColumns(titles, settings.columns as Record<string, ColumnSpec>, fields)
    if (!plan.some(({ source }) => source.kind === 'column')) return null
    const { values, violations } = checkRow({ row: 0, cells }, plan, rules)
    return {
      values: { ...uncheckedValues(plan, cells), ...values },
      invalidFields: new Set(violations.map(({ field }) => field)),
    }
  }
}
