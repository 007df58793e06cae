// credsync report: searches the service's credential report. Personal data is printed to stdout only.

import { type Cli, print, printJson, say } from '#src/cli/cli-context.ts'
import { type ExitCode, exitCode, UsageError } from '#src/cli/exit-code.ts'
import { openServiceForReading } from '#src/cli/open-service-for-reading.ts'
import { type ReportOptions, reportSearch } from '#src/cli/report-search.ts'
import { tableLines } from '#src/cli/text/table.ts'
import { type NewestItems, newestItems } from '#src/issuer/report/newest-items.ts'
import type { ReportSearch } from '#src/issuer/report/report-pages.ts'
import type { ReportItem } from '#src/issuer/wire-shapes.ts'
import { countOf } from '#src/issuing/results/run-summary.ts'

const defaultLimit = '100'
const maxPageSize = 100

export async function reportCommand(
  cli: Cli,
  options: ReportOptions & { limit?: string; config?: string; json?: boolean },
): Promise<ExitCode> {
  const limit = readLimit(options.limit ?? defaultLimit)
  const search = reportSearch(options, cli.clock.now())
  await using reading = await openServiceForReading(cli, options)
  const pages = reading.issuer.reportPages({
    search,
    sortBy: 'request_date',
    sortOrder: 'desc',
    recordsPerPage: Math.min(limit, maxPageSize),
    maxPages: 100_000,
  })
  const newest = await newestItems(pages, limit)
  const { items, total, complete } = newest
  if (options.json) printJson(cli, { found: total, complete, items })
  else if (items.length > 0) for (const line of reportLines(items, search)) print(cli, line)
  for (const line of closingLines(newest, limit)) say(cli, line)
  return isCutShort(newest, limit) ? exitCode.service : exitCode.ok
}

/** Returns true if fewer items arrived than were requested and announced. */
function isCutShort({ items, complete }: NewestItems, limit: number): boolean {
  return !complete && items.length < limit
}

function closingLines(newest: NewestItems, limit: number): string[] {
  const { items, total, complete, inOrder } = newest
  if (complete) return [items.length === 0 ? 'The report shows nothing.' : `${countOf(items.length, 'item')} in total.`]
  const ofTotal = total === null ? '' : ` of ${total}`
  const countLine = isCutShort(newest, limit)
    ? `The report was cut short: ${items.length}${ofTotal} are shown, and a missing item proves nothing.`
    : `The ${inOrder ? 'newest ' : ''}${items.length}${ofTotal} are shown; --limit shows more.`
  return inOrder
    ? [countLine]
    : [countLine, 'The service did not return the items in order of their request date, so others may be newer.']
}

function readLimit(text: string): number {
  if (text === 'all') return Number.MAX_SAFE_INTEGER
  const limit = Number(text)
  if (/^\d{1,9}$/.test(text) && limit > 0) return limit
  throw new UsageError(`--limit ${text} is not a number of items. Write it like 500, or all.`)
}

/** The columns that are useful to people. Links are left out, because they expire after three minutes. */
const columns: Readonly<Record<string, (item: ReportItem) => string | null>> = {
  requested: (item) => item.request_date,
  status: (item) => item.issued_status?.replace(/^Request /i, '') ?? null,
  name: (item) => item.name ?? ([item.fname, item.lname].filter(Boolean).join(' ') || null),
  'e-mail': (item) => item.email_,
  contact: (item) => item.contact_number,
  certificate: (item) => item.certificate_name,
  batch: (item) => item.batch_name,
  credential: (item) => item.credential_id,
  issued: (item) => item.issue_date,
  'valid till': (item) => item.valid_till,
  revoked: (item) => item.revoked_date,
}

/** Further columns, shown if the search used them. */
const searchedColumns = ['reg_no', 'uid', 'cert_no', 'unique_no', 'membership_id'] as const

function reportLines(items: readonly ReportItem[], search: ReportSearch): string[] {
  const searched = searchedColumns.filter((key) => key in search)
  return tableLines(
    [...Object.keys(columns), ...searched],
    items.map((item) => [
      ...Object.values(columns).map((cell) => cell(item) ?? ''),
      ...searched.map((key) => item[key] ?? ''),
    ]),
  )
}
