// In which format results are written: the source's own, but a large workbook as CSV. Pure.

/** Writing a workbook takes 211 MB at 100,000 rows and 689 MB at a million; CSV streams. */
const mostWorkbookRows = 50_000

export function resultFormat(run: { format: 'csv' | 'xlsx' | null; rows: number }): 'csv' | 'xlsx' {
  return run.format === 'xlsx' && run.rows <= mostWorkbookRows ? 'xlsx' : 'csv'
}
