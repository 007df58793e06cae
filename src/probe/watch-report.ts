// Looks for throwaway people in the credential report, and waits until one of them shows.

import { allStatusIds } from '#src/issuance/report-status.ts'
import type { ReportPageQuery, SingleReportPage } from '#src/issuer/report-page.ts'
import type { Clock } from '#src/time/clock.ts'
import { isOf } from './echoes.ts'
import type { Throwaway } from './throwaway-people.ts'

export type Item = SingleReportPage['items'][number]

export interface ReportWatch {
  /** The report's items of one person: found by search, or, where the search finds nothing, among the newest. */
  itemsOf(person: Throwaway): Promise<Item[]>
  /** Looks ever more seldom until the person shows; null once `untilMs` (of the monotonic clock) is past. */
  untilShown(person: Throwaway, untilMs: number): Promise<{ items: Item[]; atMs: number } | null>
}

const firstWaitMs = 200
const longestWaitMs = 15_000
/** The newest rows of the report: a search that finds nothing may be a search that does not work. */
const newestRows = 200

export function watchReport(
  read: (query: ReportPageQuery) => Promise<SingleReportPage>,
  clock: Clock,
  signal?: AbortSignal,
): ReportWatch {
  async function itemsOf({ search, own }: Throwaway): Promise<Item[]> {
    const status = { issued_status_id: allStatusIds }
    const found = await read({ search: { ...search, ...status }, spelling: 'both', recordsPerPage: 50 })
    const theirs = found.items.filter((item) => isOf(own, item))
    if (theirs.length > 0) return theirs
    const newest = await read({ search: status, spelling: 'both', recordsPerPage: newestRows })
    return newest.items.filter((item) => isOf(own, item))
  }

  return {
    itemsOf,
    async untilShown(person, untilMs) {
      for (let waitMs = firstWaitMs; ; waitMs = Math.min(waitMs * 1.5, longestWaitMs)) {
        const items = await itemsOf(person)
        const atMs = clock.monotonicMs()
        if (items.length > 0) return { items, atMs }
        if (atMs >= untilMs) return null
        await clock.sleep(Math.min(waitMs, Math.max(untilMs - atMs, 1)), signal)
      }
    },
  }
}
