// Searches the credential report for the test recipients of a probe, and waits until it shows one of them. Calls the
// service.

import { allStatusIds } from '#src/domain/credential/report-status.ts'
import type { ReportPageQuery, SingleReportPage } from '#src/issuer/report/single-report-page.ts'
import type { Clock } from '#src/platform/time/clock.ts'
import { belongsTo } from './echoes.ts'
import type { ProbeRecipient } from './probe-recipients.ts'

export type Item = SingleReportPage['items'][number]

export interface RecipientSearch {
  /**
   * Returns the items of one person: those that a search finds or, if it finds none, those among the newest items.
   */
  itemsOf(person: ProbeRecipient): Promise<Item[]>
  /**
   * Polls at growing intervals until the report shows the person. Returns null after `untilMs` on the monotonic clock.
   */
  untilShown(person: ProbeRecipient, untilMs: number): Promise<{ items: Item[]; atMs: number } | null>
}

const firstWaitMs = 200
const maxWaitMs = 15_000
/** How many of the newest rows to read if the search finds nothing, because the search may not work. */
const newestRows = 200

export function openRecipientSearch(
  read: (query: ReportPageQuery) => Promise<SingleReportPage>,
  clock: Clock,
  signal?: AbortSignal,
): RecipientSearch {
  async function itemsOf({ search, unique }: ProbeRecipient): Promise<Item[]> {
    const status = { issued_status_id: allStatusIds }
    const found = await read({ search: { ...search, ...status }, spelling: 'both', recordsPerPage: 50 })
    const ownItems = found.items.filter((item) => belongsTo(unique, item))
    if (ownItems.length > 0) return ownItems
    const newest = await read({ search: status, spelling: 'both', recordsPerPage: newestRows })
    return newest.items.filter((item) => belongsTo(unique, item))
  }

  return {
    itemsOf,
    async untilShown(person, untilMs) {
      for (let waitMs = firstWaitMs; ; waitMs = Math.min(waitMs * 1.5, maxWaitMs)) {
        const items = await itemsOf(person)
        const atMs = clock.monotonicMs()
        if (items.length > 0) return { items, atMs }
        if (atMs >= untilMs) return null
        await clock.sleep(Math.min(waitMs, Math.max(untilMs - atMs, 1)), signal)
      }
    },
  }
}
