// Searches the credential report for the test recipients of a probe, and waits until it shows one of them. Calls the
// service.

import { allStatusIds } from '#src/domain/credential/report-status.ts'
import type { ReadReportPage } from '#src/issuer/report/report-pages.ts'
import type { ReportItem } from '#src/issuer/wire-shapes.ts'
import type { Clock } from '#src/platform/time/clock.ts'
import { belongsTo } from './echoes.ts'
import type { ProbeRecipient } from './probe-recipients.ts'

export type Item = ReportItem

const firstWaitMs = 200
const maxWaitMs = 15_000
/** How many of the newest rows to read if the search finds nothing, because the search may not work. */
const newestRows = 200

export function openRecipientSearch(read: ReadReportPage, clock: Clock, signal?: AbortSignal) {
  /** The items of one person: those that a search finds or, if it finds none, those among the newest items. */
  async function itemsOf({ search, unique }: ProbeRecipient): Promise<Item[]> {
    const status = { issued_status_id: allStatusIds }
    const found = await read({ search: { ...search, ...status }, recordsPerPage: 50 })
    const ownItems = found.items.filter((item) => belongsTo(unique, item))
    if (ownItems.length > 0) return ownItems
    const newest = await read({ search: status, recordsPerPage: newestRows })
    return newest.items.filter((item) => belongsTo(unique, item))
  }
  return {
    itemsOf,
    /**
     * Polls at growing intervals until the report shows the person. Returns null after `untilMs` on the monotonic
     * clock.
     */
    async untilShown(person: ProbeRecipient, untilMs: number): Promise<{ item: Item; atMs: number } | null> {
      for (let waitMs = firstWaitMs; ; waitMs = Math.min(waitMs * 1.5, maxWaitMs)) {
        const [item] = await itemsOf(person)
        const atMs = clock.monotonicMs()
        if (item) return { item, atMs }
        if (atMs >= untilMs) return null
        await clock.sleep(Math.min(waitMs, Math.max(untilMs - atMs, 1)), signal)
      }
    },
  }
}
