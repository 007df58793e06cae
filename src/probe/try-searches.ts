// Tries what the report can be searched by: under which spelling a search is heard, and which keys that echo a value find it.

import { allStatusIds } from '#src/issuance/report-status.ts'
import { recipientKeys } from '#src/issuer/report-keys.ts'
import type { ReportPageQuery, SingleReportPage } from '#src/issuer/report-page.ts'
import { ServiceRefusedError } from '#src/issuer/service-refused-error.ts'
import type { Echo, Findings, SpellingVerdict } from '#src/ledger/probes.ts'
import { isOf, type SeenEcho } from './echoes.ts'
import type { Throwaway } from './throwaway-people.ts'
import type { Item } from './watch-report.ts'

type Read = (query: ReportPageQuery) => Promise<SingleReportPage>

/** The keys that are documented for a search and hold text. */
const searchKeys: readonly string[] = ['name', ...recipientKeys]

/** @param person who shows in the report by now */
export async function trySpellings(read: Read, person: Throwaway): Promise<Findings['spellings']> {
  const [[key, value] = ['', '']] = Object.entries(person.search)
  const search = await trySearch(read, 'search', { key, value, person })
  const underscored = await trySearch(read, '_search', { key, value, person })
  return { found: { search, _search: underscored } }
}

/** @param item the person's, as the report shows it */
export async function tryEchoes(
  read: Read,
  person: Throwaway,
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

/** A search that works finds the person by the value, and nobody by a value that nobody has. */
async function trySearch(
  read: Read,
  spelling: ReportPageQuery['spelling'],
  { key, value, person }: { key: string; value: string; person: Throwaway },
): Promise<SpellingVerdict> {
  const ask = (text: string) =>
    read({ search: { [key]: text, issued_status_id: allStatusIds }, spelling, recordsPerPage: 50 })
  try {
    const nobody = await ask(nobodys(value))
    if (nobody.items.length > 0) return 'is ignored'
    const found = await ask(value)
    return found.items.some((item) => isOf(person.own, item)) ? 'filters' : 'finds nothing'
  } catch (error) {
    if (error instanceof ServiceRefusedError) return 'is refused'
    throw error
  }
}

/** A value of the same form that nobody has: what was made up, turned into something that was not. Pure. */
export function nobodys(value: string): string {
  const turn = (sign: string, first: number, size: number) =>
    String.fromCharCode(first + ((sign.charCodeAt(0) - first + size / 2) % size))
  return value
    .replace(/[a-z]/g, (sign) => turn(sign, 97, 26))
    .replace(/[A-Z]/g, (sign) => turn(sign, 65, 26))
    .replace(/[0-9]/g, (sign) => turn(sign, 48, 10))
}
