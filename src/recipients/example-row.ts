// The example row of a template, and how it is known again: a row that was forgotten there is never issued.

import type { SourceRow } from './check-row.ts'
import { type ColumnPlan, placeOf } from './column-plan.ts'
import { type Violation, violation } from './violation.ts'

/** In front of every value of a template's example row. */
export const exampleMark = '[example]'

const marked = /^\s*\[example\]/i

/** What is wrong with a row of which a cell that is read still bears the mark: the first of them says it for the whole row. */
export function findExample(source: SourceRow, plan: ColumnPlan): Violation | null {
  for (const planned of plan) {
    const from = planned.source
    if (from.kind !== 'column') continue
    const cell = source.cells[from.index] ?? ''
    if (!marked.test(cell)) continue
    return violation(placeOf(planned, source.row), cell, {
      rule: 'example',
      wrong: 'which is an example of the template and nobody',
      remedy: `Delete the row, or write the person's own values in place of all that begin with ${exampleMark}.`,
    })
  }
  return null
}
