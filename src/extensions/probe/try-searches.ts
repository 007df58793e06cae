// Tests how the report can be searched: which spelling of the search parameter works, and which keys can be searched
// by. Calls the service.

import { allStatusIds } from '#src/domain/credential/report-status.ts'
import { ServiceRefusedError } from '#src/issuer/classify-read.ts'
import { recipientKeys } from '#src/issuer/report/newest-items.ts'
import type { ReportPageQuery, SingleReportPage } from '#src/issuer/report/single-report-page.ts'
import type { Echo, Findings, SpellingVerdict } from '#src/ledger/probes.ts'
import { largestPage, type RequestedPage } from './derive-findings.ts'
import { belongsTo, type SeenEcho } from './echoes.ts'
import type { ProbeRecipient } from './probe-recipients.ts'
import type { Item } from './recipient-search.ts'

type Read = (query: ReportPageQuery) => Promise<SingleReportPage>

/** The documented search keys for text. */
const searchKeys: readonly string[] = ['name', ...recipientKeys]

/** @param person a recipient that the report already shows */
export async function trySpellings(read: Read, person: ProbeRecipient): Promise<Findings['spellings']> {
  const [[key, value] = ['', '']] = Object.entries(person.search)
  const search = await trySearch(read, 'search', { key, value, person })
  const underscored = await trySearch(read, '_search', { key, value, person })
  return { found: { search, _search: underscored } }
}

/** @param item the recipient's item in the report */
export async function tryEchoes(
  read: Read,
  person: ProbeRecipient,
  item: Item,
  echoes: readonly SeenEcho[],
): Promise<Echo[]> {
  const verdicts = new Map<string, boolean>()
  for (const key of new Set(echoes.map((echo) => echo.key))) {
    const value = item[key]
    if (!searchKeys.includes(key) || typeof value !== 'string') continue
    verdicts.set(key, (await trySearch(read, 'both', { key, value, person })) === 'filters')
  }
  return echoes.map((echo) => ({ ...echo, searchable: verdicts.get(echo.key) ?? null }))
}

/** Tests one search. A working search finds the person by the right value, and no one by a value that no one has. */
async function trySearch(
  read: Read,
  spelling: ReportPageQuery['spelling'],
  { key, value, person }: { key: string; value: string; person: ProbeRecipient },
): Promise<SpellingVerdict> {
  const search = (text: string) =>
    read({ search: { [key]: text, issued_status_id: allStatusIds }, spelling, recordsPerPage: 50 })
  try {
    const nobody = await search(unusedValueLike(value))
    if (nobody.items.length > 0) return 'is ignored'
    const found = await search(value)
    return found.items.some((item) => belongsTo(person.unique, item)) ? 'filters' : 'finds nothing'
  } catch (error) {
    if (error instanceof ServiceRefusedError) return 'is refused'
    throw error
  }
}

/** Rotates the letters and digits of a value, to get a value of the same form that no one has. Pure. */
export function unusedValueLike(value: string): string {
  const rotate = (character: string, first: number, size: number) =>
    String.fromCharCode(first + ((character.charCodeAt(0) - first + size / 2) % size))
  return value
    .replace(/[a-z]/g, (character) => rotate(character, 97, 26))
    .replace(/[A-Z]/g, (character) => rotate(character, 65, 26))
    .replace(/[0-9]/g, (character) => rotate(character, 48, 10))
}

// Requests larger and larger pages of the report until a page is shorter than requested. Calls the service.

/** The page sizes to try, up to the maximum of the setting reconcile.pageSize. */
const sizes = [10, 100, 200, 500, 1_000, 2_000, 5_000]

export async function tryPages(read: (query: ReportPageQuery) => Promise<SingleReportPage>): Promise<Findings['page']> {
  const pages: RequestedPage[] = []
  for (const requested of sizes) {
    const page = await readOrRefused(read, requested)
    if (!page) return refusedAbove(pages)
    const { items, filteredRecords, recordsPerPage } = page
    pages.push({ requested, received: items.length, matching: filteredRecords, pager: recordsPerPage })
    const result = largestPage(pages)
    if ('found' in result && result.found.capped) return result
  }
  return largestPage(pages)
}

async function readOrRefused(read: (query: ReportPageQuery) => Promise<SingleReportPage>, recordsPerPage: number) {
  try {
    return await read({ search: { issued_status_id: allStatusIds }, spelling: 'both', recordsPerPage, exactSize: true })
  } catch (error) {
    if (error instanceof ServiceRefusedError) return null
    throw error
  }
}

/** If the service refuses a page size, the largest page is the previous one. */
function refusedAbove(pages: readonly RequestedPage[]): Findings['page'] {
  const last = pages.at(-1)
  if (!last) return { undetermined: 'the report was refused when a page size was given' }
  const seenBy = last.received >= last.requested ? 'rows' : 'pager'
  return { found: { largest: last.requested, seenBy, capped: true } }
}
