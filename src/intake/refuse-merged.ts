// Holds the merged cells of a workbook against the columns that fill fields: where both meet, people would be sent without a value.

import type { ColumnPlan } from '#src/recipients/column-plan.ts'
import type { Source } from '#src/sources/source.ts'
import { explainMergedColumn } from '#src/sources/xlsx/merged-columns.ts'
import { PlanError } from './row-check.ts'
import type { TakenRows } from './taken-rows.ts'

/**
 * To be asked after the last row: a workbook lists its merged cells behind its rows, so the whole file is refused and not the rows that
 * they cover, which are read by then. Those in columns that fill nothing do no harm, nor do those inside of a row that is not taken, such as a
 * line of totals.
 * @param taken the rows that are to be sent
 * @throws PlanError
 */
export function refuseMerged(
  { merged }: Pick<Source, 'merged'>,
  plan: ColumnPlan,
  taken: Pick<TakenRows, 'has'>,
): void {
  const used = new Set(plan.flatMap(({ source }) => (source.kind === 'column' ? [source.index] : [])))
  const harmful = merged.filter(({ column, row }) => used.has(column) && (row === undefined || taken.has(row)))
  const faults = [
    ...new Map(harmful.toReversed().map((each) => [each.column, explainMergedColumn(each)])).values(),
  ].toReversed()
  if (faults.length > 0) throw new PlanError(faults)
}
