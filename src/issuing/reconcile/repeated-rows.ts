// Detects rows that are repeated on several pages of one scan. The service may order the rows of one day differently
// for each page. For each row that is then repeated, another row is missed. In memory only.

import type { ItemAsShown } from './read-report-item.ts'

export interface RepeatedRows {
  /** Must be called with the items of each page, in the order of the pages. */
  add(items: readonly ItemAsShown[]): void
  /** Whether a page repeated a credential of an earlier page. */
  readonly found: boolean
}

/**
 * Remembers only the rows of the latest day, because rows are sorted by day and move only within their day.
 * @param dayOf returns the day by which the rows are sorted; null to ignore a row
 */
export function openRepeatedRows(dayOf: (item: ItemAsShown) => string | null): RepeatedRows {
  let [latestDay, found] = ['', false]
  let idsOfDay = new Set<string>()
  return {
    add(items) {
      const sorted = items.filter((item) => dayOf(item) !== null)
      const ids = sorted.flatMap((item) => item.credential_id || [])
      found ||= ids.some((id) => idsOfDay.has(id))
      const last = sorted.at(-1)
      const lastDay = (last && dayOf(last)) ?? ''
      if (lastDay !== latestDay) [latestDay, idsOfDay] = [lastDay, new Set()]
      for (const id of ids) idsOfDay.add(id)
    },
    get found() {
      return found
    },
  }
}
