// In which format results are written: the source's own, but a large workbook as CSV. Pure.

/** Writing a workbook takes 211 MB at 100,000 rows and 689 MB at a million; CSV streams. */
const mostWorkbookRows = 50_000

export interface ResultFormat {
  format: 'csv' | 'xlsx'
  /** The source's own: a program that shows it in columns shows the answer in columns too. A comma when left out. */
  separator?: string
}

export function resultFormat(run: {
  format: 'csv' | 'xlsx' | null
  separator: string | null
  rows: number
}): ResultFormat {
  if (run.format === 'xlsx' && run.rows <= mostWorkbookRows) return { format: 'xlsx' }
  return { format: 'csv', ...(run.separator !== null && { separator: run.separator }) }
}
