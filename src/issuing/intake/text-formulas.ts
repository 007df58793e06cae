// Counts values that are written as ="000123" in a file, of which only the text inside is used, and notifies the
// sender. In memory only.

import type { ColumnPlan } from '#src/domain/recipient/column-plan.ts'
import { textInFormula } from '#src/domain/recipient/text-formula.ts'
import type { SourceRow } from '#src/files/tables/source.ts'

export interface TextFormulas {
  count(row: SourceRow): void
  /** Must be called after the last row. */
  notices(): string[]
}

/** @param plan which column fills which field; other columns are not counted */
export function countTextFormulas(plan: ColumnPlan): TextFormulas {
  const columns = plan.flatMap(({ source }) => (source.kind === 'column' ? [source] : []))
  const counts = new Map<string, number>()
  return {
    count({ cells }) {
      for (const { index, column } of columns) {
        const cell = cells[index]?.trim() ?? ''
        if (cell.startsWith('="') && textInFormula(cell) !== cell) counts.set(column, (counts.get(column) ?? 0) + 1)
      }
    },
    notices: () =>
      [...counts].map(
        ([column, count]) =>
          `${count === 1 ? '1 cell' : `${count} cells`} of column “${column}” ${count === 1 ? 'is' : 'are'} written like ="000123", which prevents a spreadsheet program from dropping zeros; the text between the quotation marks was used.`,
      ),
  }
}
