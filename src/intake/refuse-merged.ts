// Holds the merged cells of a workbook against the columns that fill fields: where both meet, people would be sent without a value.

import type { ColumnPlan } from '#src/recipients/column-plan.ts'
import type { Source } from '#src/sources/source.ts'
import { explainMergedColumn } from '#src/sources/xlsx/merged-columns.ts'
import { PlanError } from './row-check.ts'

/**
 * To be asked after the last row: a workbook lists its merged cells behind its rows, so the whole file is refused and not the rows that
 * they cover, which are read by then. Those in columns that fill nothing do no harm.
 * @throws PlanError
 */
export function refuseMerged({ merged }: Pick<Source, 'merged'>, plan: ColumnPlan): void {
  const used = new Set(plan.flatMap(({ source }) => (source.kind === 'column' ? [source.index] : [])))
  const faults = merged.filter(({ column }) => used.has(column)).map(explainMergedColumn)
  if (faults.length > 0) throw new PlanError(faults)
}
