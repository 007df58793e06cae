// credsync report: the service's own credential report, searched. People stand on stdout, and nowhere else.

import { type NewestItems, newestItems } from '#src/issuer/newest-items.ts'
import { countOf } from '#src/write-back/count-of.ts'
import { type ExitCode, exitCode, UsageError } from '../exit-code.ts'
import { unheardKeys } from '../report-misfits.ts'
import { type ReportOptions, reportSearch } from '../report-search.ts'
import { reportTable } from '../report-table.ts'
import { readService } from '../service-reading.ts'
import { answer, answerJson, type Cli, say, widthOf } from '../surroundings.ts'
import { tableLines } from '../table.ts'

const usualLimit = '100'
const mostOnPage = 100

export async function reportCommand(
  cli: Cli,
  options: ReportOptions & { limit?: string; config?: string; json?: boolean },
): Promise<ExitCode> {
  const most = readLimit(options.limit ?? usualLimit)
  const search = reportSearch(options, cli.clock.now())
  await using reading = await readService(cli, options)
  const pages = reading.issuer.reportPages({
    search,
    sortBy: 'request_date',
    sortOrder: 'desc',
    recordsPerPage: Math.min(most, mostOnPage),
    maxPages: 100_000,
  })
  const newest = await newestItems(pages, most)
  const { items, found, complete } = newest
  if (options.json) answerJson(cli, { found, complete, items })
  else if (items.length > 0) {
    const { columns, rows } = reportTable(items, new Set(Object.keys(search)))
    for (const line of tableLines(columns, rows, widthOf(cli))) answer(cli, line)
  }
  for (const line of afterwords(newest, most)) say(cli, line)
  const unheard = unheardKeys(items, search)
  if (unheard.length > 0)
    say(
      cli,
      `Some of these do not show the ${unheard.join(' and ')} that was searched for: the service may compare in its own way, or not hear that key.`,
    )
  return brokeOff(newest, most) ? exitCode.service : exitCode.ok
}

/** Less came than was asked for and promised. */
function brokeOff({ items, complete }: NewestItems, most: number): boolean {
  return !complete && items.length < most
}

function afterwords(newest: NewestItems, most: number): string[] {
  const { items, found, complete, inOrder } = newest
  if (complete)
    return [items.length === 0 ? 'The report shows nothing.' : `${countOf(items.length, 'item')}, which is all.`]
  const of = found === null ? '' : ` of ${found}`
  const more = brokeOff(newest, most)
    ? `The report broke off: ${items.length}${of} are shown, and nothing follows from what is missing.`
    : `The ${inOrder ? 'newest ' : ''}${items.length}${of} are shown; --limit shows more.`
  return inOrder ? [more] : [more, 'The service did not keep the order by request date, so others may be newer.']
}

function readLimit(text: string): number {
  if (text === 'all') return Number.MAX_SAFE_INTEGER
  const limit = Number(text)
  if (/^\d{1,9}$/.test(text) && limit > 0) return limit
  throw new UsageError(`--limit ${text} is no number of items. Write it like 500, or all.`)
}
