// Counts the values that stood in a file as ="000123" and were read as the text in it, so that whoever sent it knows what was done.

import type { ColumnPlan } from '#src/recipients/column-plan.ts'
import { textInFormula } from '#src/recipients/text-formula.ts'
import type { SourceRow } from '#src/sources/source.ts'

export interface TextFormulas {
  look(row: SourceRow): void
  /** To be asked after the last row. */
  notices(): string[]
}

/** @param plan which column fills which field: only what is read is told of */
export function countTextFormulas(plan: ColumnPlan): TextFormulas {
  const columns = plan.flatMap(({ source }) => (source.kind === 'column' ? [source] : []))
  const counts = new Map<string, number>()
  return {
    look({ cells }) {
      for (const { index, column } of columns) {
        const cell = cells[index]?.trim() ?? ''
        if (cell.startsWith('="') && textInFormula(cell) !== cell) counts.set(column, (counts.get(column) ?? 0) + 1)
      }
    },
    notices: () =>
      [...counts].map(
        ([column, count]) =>
          `${count === 1 ? '1 cell' : `${count} cells`} of column “${column}” ${count === 1 ? 'is' : 'are'} written like ="000123", which keeps a spreadsheet from dropping zeros; the text between the quotation marks was taken.`,
      ),
  }
}
