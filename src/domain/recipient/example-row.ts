// Recognizes the example row of a template, so that it is never issued if somebody forgets to delete it. Pure.

import { type ColumnPlan, placeOfColumn } from './column-plan.ts'
import type { RowToCheck } from './row-to-check.ts'
import { type Violation, violation } from './violation.ts'

/** Prefixes every value of a template's example row. */
export const exampleMark = '[example]'

const marked = /^\s*\[example\]/i

/**
 * Reports a row if a cell that is read still has the mark; one violation, at the first such cell, covers the whole row.
 */
export function findExample(source: RowToCheck, plan: ColumnPlan): Violation | null {
  for (const planned of plan) {
    const fieldSource = planned.source
    if (fieldSource.kind !== 'column') continue
    const cell = source.cells[fieldSource.index] ?? ''
    if (!marked.test(cell)) continue
    return violation(placeOfColumn(planned, source.row), cell, {
      rule: 'example',
      wrong: 'which is an example from the template, not a person',
      remedy: `Delete the row, or replace every value that begins with ${exampleMark} with the person's own.`,
    })
  }
  return null
}
