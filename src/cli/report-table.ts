// Items of the service's report as a table: the columns that matter to a person, and no link, for a link there dies in three minutes. Pure.

import type { ReportItem } from '#src/issuer/wire.ts'
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

/** Further ones, shown when the search was for them. */
const numbers = ['reg_no', 'uid', 'cert_no', 'unique_no', 'membership_id'] as const

export function reportTable(
  items: readonly ReportItem[],
  searched: ReadonlySet<string>,
): { columns: Column[]; rows: string[][] } {
  const shown = [
    ...columns,
    ...numbers
      .filter((key) => searched.has(key))
      .map((key) => ({ title: key, whole: true, cell: (item: ReportItem) => item[key] })),
  ]
  return { columns: shown, rows: items.map((item) => shown.map(({ cell }) => cell(item) ?? '')) }
}
