// Checks whether the report is sorted by revoked_date. The documentation does not mention this order, so the rows have
// to prove it. In memory only.

import type { ItemAsShown } from './read-report-item.ts'
import { openRepeatedRows } from './repeated-rows.ts'

export interface RevokedOrder {
  /** Must be called with the rows of each page, in order. */
  add(items: readonly ItemAsShown[]): void
  /** False once a row is out of order, or a page repeats a row of an earlier page. */
  readonly holds: boolean
  /** How many rows were seen, and how many of these are revoked. */
  readonly seen: number
  readonly revoked: number
  /** Returns whether all revoked rows have been read, or those back to the day `since`. */
  isPast(since: string | null): boolean
  /**
   * Returns whether the order is unlikely to be a coincidence: revoked rows come first, with at least two different
   * days, while the request dates both rise and fall. A service that ignores the sort key usually sorts by time, and
   * then the request dates would only rise or only fall.
   */
  isProven(): boolean
}

export function openRevokedOrder(direction: 'asc' | 'desc'): RevokedOrder {
  let [seen, revoked, holds] = [0, 0, true]
  let [rises, falls] = [false, false]
  let requestDay: string | null = null
  const days: { first: string | null; last: string | null } = { first: null, last: null }
  const repeated = openRepeatedRows((item) => dayOf(item.revoked_date))
  const addRow = (item: ItemAsShown) => {
    seen++
    const requested = dayOf(item.request_date)
    if (requested !== null && requestDay !== null) {
      rises ||= requested > requestDay
      falls ||= requested < requestDay
    }
    requestDay = requested ?? requestDay
    if (!item.revoked_date) return
    const day = dayOf(item.revoked_date)
    const isInOrder = day !== null && revoked === seen - 1 && (days.last === null || follows(days.last, day, direction))
    holds &&= isInOrder
    revoked++
    days.first ??= day
    days.last = day
  }
  return {
    add(items) {
      repeated.add(items)
      holds &&= !repeated.found
      items.forEach(addRow)
    },
    get holds() {
      return holds
    },
    get seen() {
      return seen
    },
    get revoked() {
      return revoked
    },
    isPast: (since) => seen > revoked || (since !== null && direction === 'desc' && (days.last ?? since) < since),
    isProven: () => holds && days.first !== days.last && rises && falls,
  }
}

/** The order counts as evidence only if at least this many rows were seen. */
const minRows = 100
/**
 * The maximum number of pages read to prove the order. If many rows were revoked on one day, the first pages show only
 * that day.
 */
const maxPages = 10

/**
 * Decides after each page whether to read on.
 * @param since revocations before this day are known; null if none are
 */
export function evaluateOrder(
  order: RevokedOrder,
  { since, pagesRead }: { since: string | null; pagesRead: number },
): 'read on' | 'order' | 'not shown' | 'none revoked' {
  if (!order.holds) return 'not shown'
  if (order.seen < minRows) return 'read on'
  if (order.revoked === 0) return 'none revoked'
  if (!order.isPast(since)) return 'read on'
  if (order.isProven()) return 'order'
  const hasEnded = order.seen > order.revoked
  return hasEnded || pagesRead >= maxPages ? 'not shown' : 'read on'
}

function follows(before: string, day: string, direction: 'asc' | 'desc'): boolean {
  return direction === 'asc' ? before <= day : before >= day
}

function dayOf(text: string | null): string | null {
  return /^\d{4}-\d{2}-\d{2}/.exec(text ?? '')?.[0] ?? null
}
