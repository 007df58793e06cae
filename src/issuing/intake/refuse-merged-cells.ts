// Refuses a workbook with merged cells in columns that fill fields, because values would be missing in what is sent.
// Pure.

import type { ColumnPlan } from '#src/domain/recipient/column-plan.ts'
import type { Source } from '#src/files/tables/source.ts'
import { explainMergedColumn } from '#src/files/tables/xlsx/merged-columns.ts'
import type { AcceptedRows } from './accepted-rows.ts'
import { PlanError } from './row-check.ts'

/**
 * Must be called after the last row. A workbook lists its merged cells after the rows. By then the affected rows have
 * been read, so the whole file is refused. Merged cells are harmless in columns that fill no field, and in rows that
 * are not accepted, such as a row of totals.
 * @param whereColumns the columns that say who is meant
 * @param accepted the rows that are to be sent
 * @throws PlanError
 */
export function refuseMergedCells(
  { merged }: Pick<Source, 'merged'>,
  plan: ColumnPlan,
  accepted: Pick<AcceptedRows, 'has'>,
  whereColumns: readonly number[] = [],
): void {
  const filling = plan.flatMap(({ source }) => (source.kind === 'column' ? [source.index] : []))
  const used = new Set([...filling, ...whereColumns])
  const harmful = merged.filter(({ column, row }) => used.has(column) && (row === undefined || accepted.has(row)))
  const faults = [
    ...new Map(harmful.toReversed().map((each) => [each.column, explainMergedColumn(each)])).values(),
  ].toReversed()
  if (faults.length > 0) throw new PlanError(faults)
}
