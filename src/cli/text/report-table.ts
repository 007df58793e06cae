// Shows items of the service's report as a table: the columns that are useful to people, without links, because links
// expire after three minutes. Pure.

import type { ReportItem } from '#src/issuer/wire-shapes.ts'
import type { Column } from './table.ts'

const columns: readonly (Column & { cell: (item: ReportItem) => string | null })[] = [
  { title: 'requested', whole: true, cell: (item) => item.request_date },
  { title: 'status', whole: true, cell: (item) => item.issued_status?.replace(/^Request /i, '') ?? null },
  { title: 'name', cell: (item) => item.name ?? ([item.fname, item.lname].filter(Boolean).join(' ') || null) },
  { title: 'e-mail', cell: (item) => item.email_ },
  { title: 'contact', cell: (item) => item.contact_number },
  { title: 'certificate', cell: (item) => item.certificate_name },
  { title: 'batch', cell: (item) => item.batch_name },
  { title: 'credential', whole: true, cell: (item) => item.credential_id },
  { title: 'issued', whole: true, cell: (item) => item.issue_date },
  { title: 'valid till', whole: true, cell: (item) => item.valid_till },
  { title: 'revoked', whole: true, cell: (item) => item.revoked_date },
]

/** Further columns, shown if the search used them. */
const searchedColumns = ['reg_no', 'uid', 'cert_no', 'unique_no', 'membership_id'] as const

export function reportTable(
  items: readonly ReportItem[],
  searched: ReadonlySet<string>,
): { columns: Column[]; rows: string[][] } {
  const shownColumns = [
    ...columns,
    ...searchedColumns
      .filter((key) => searched.has(key))
      .map((key) => ({ title: key, whole: true, cell: (item: ReportItem) => item[key] })),
  ]
  return { columns: shownColumns, rows: items.map((item) => shownColumns.map(({ cell }) => cell(item) ?? '')) }
}
