// Chooses the format of a results file: the format of the source, except that a large workbook gets CSV results. Pure.

import { maxWorkbookRows } from '#src/files/tables/max-workbook-rows.ts'

export interface ResultFormat {
  format: 'csv' | 'xlsx'
  /** The separator of the source, so that the user's program splits the columns in the same way. Default: a comma. */
  separator?: string
}

export function resultFormat(run: {
  format: 'csv' | 'xlsx' | null
  separator: string | null
  rows: number
}): ResultFormat {
  if (run.format === 'xlsx' && run.rows <= maxWorkbookRows) return { format: 'xlsx' }
  return { format: 'csv', ...(run.separator !== null && { separator: run.separator }) }
}
