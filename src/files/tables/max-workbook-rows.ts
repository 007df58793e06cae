// The maximum number of rows of a table that is written as a workbook; larger tables are written as CSV.

/** Writing a workbook took 211 MB for 100,000 rows and 689 MB for a million, whereas CSV is streamed. */
export const maxWorkbookRows = 50_000
