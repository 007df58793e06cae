// Reads all rows of a custom report from Moodle, page by page.

import { z } from 'zod'
import type { MoodleCall } from './call.ts'
import { plainTextOf } from './html.ts'

/** The cells of one row as plain text, without markup or entities. */
export type ReportRow = readonly string[]

const reportPage = z.object({
  data: z.object({
    rows: z.array(z.object({ columns: z.array(z.union([z.string(), z.number(), z.null()])) })),
    totalrowcount: z.number(),
  }),
})

/** A real Moodle returned 1,000 rows in 0.3 s. */
const rowsPerPage = 1_000

/** Returns every row of the report. Ends when all rows that Moodle counts were read, or at an empty page. */
export async function reportRows(call: MoodleCall, reportId: number): Promise<ReportRow[]> {
  const all: ReportRow[] = []
  for (let page = 0; ; page++) {
    const args = { reportid: reportId, page, perpage: rowsPerPage }
    const { rows, totalrowcount } = (await call('core_reportbuilder_retrieve_report', args, reportPage, 'long')).data
    for (const { columns } of rows) all.push(columns.map((cell) => plainTextOf(String(cell ?? ''))))
    if (rows.length === 0 || all.length >= totalrowcount) return all
  }
}
