// Collects the newest items of the credential report, up to a given number, from the given pages. Also lists the keys
// under which the report may show values that were sent for a recipient.

import type { ReportItem } from '#src/issuer/wire-shapes.ts'
import type { ReportPage } from './report-pages.ts'

export interface NewestItems {
  items: ReportItem[]
  /** The total number of matches according to the service; null if the service does not report it. */
  total: number | null
  /** Whether `items` contains everything that the search matches. */
  complete: boolean
  /** False if the service did not sort as requested: unread items may then be newer than the ones read. */
  inOrder: boolean
}

/**
 * Reads pages, which must be requested by request_date descending, until there are `maxItems` items. An item that
 * appears twice, because newer items moved it to the next page, is returned once. Throws any error that reading a page
 * throws.
 */
export async function newestItems(pages: AsyncIterable<ReportPage>, maxItems: number): Promise<NewestItems> {
  const items: ReportItem[] = []
  const knownUuids = new Set<string>()
  let total: number | null = null
  let complete = false
  for await (const page of pages) {
    total = page.filteredRecords
    const newItems = page.items.filter(({ entity_uuid: uuid }) => uuid === null || !knownUuids.has(uuid))
    for (const { entity_uuid: uuid } of newItems) if (uuid !== null) knownUuids.add(uuid)
    const room = maxItems - items.length
    items.push(...newItems.slice(0, room))
    complete = page.walk === 'complete' && newItems.length <= room
    if (items.length >= maxItems) break
  }
  const day = (item: ReportItem) => item.request_date ?? ''
  const inOrder = items.every((item, at) => at === 0 || day(items[at - 1] as ReportItem) >= day(item))
  // Sorts by day only; within a day the service's order is kept.
  if (!inOrder) items.sort((a, b) => (day(a) < day(b) ? 1 : day(a) > day(b) ? -1 : 0))
  return { items, total, complete, inOrder }
}

/**
 * The keys of a report item that are also documented as search keys, and whose names suggest that they hold values that
 * were sent for a recipient.
 */
export const recipientKeys = [
  'email_',
  'contact_number',
  'batch_name',
  'reg_no',
  'uid',
  'cert_no',
  'unique_no',
  'membership_id',
] as const
