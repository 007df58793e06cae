// The newest items of the credential report, up to a number of them.

import type { ReportPage } from './report.ts'
import type { ReportItem } from './wire.ts'

export interface NewestItems {
  items: ReportItem[]
  /** How many there are by the service's own count; null when it gives none. */
  found: number | null
  /** Whether `items` is all that the search finds. */
  complete: boolean
  /** False when the service's order was another one than asked for: what was not read may then be newer than what was. */
  inOrder: boolean
}

/**
 * Reads pages, which were asked for by request_date descending, until `most` items are there. An item that comes twice, because new ones
 * moved it to the next page, is given once. Throws what the pages throw.
 */
export async function newestItems(pages: AsyncIterable<ReportPage>, most: number): Promise<NewestItems> {
  const items: ReportItem[] = []
  const known = new Set<string>()
  let found: number | null = null
  let complete = false
  for await (const page of pages) {
    found = page.filteredRecords
    const fresh = page.items.filter(({ entity_uuid: uuid }) => uuid === null || !known.has(uuid))
    for (const { entity_uuid: uuid } of fresh) if (uuid !== null) known.add(uuid)
    const room = most - items.length
    items.push(...fresh.slice(0, room))
    complete = page.walk === 'complete' && fresh.length <= room
    if (items.length >= most) break
  }
  const day = (item: ReportItem) => item.request_date ?? ''
  const inOrder = items.every((item, at) => at === 0 || day(items[at - 1] as ReportItem) >= day(item))
  // Days only: within one the service's own order stays.
  if (!inOrder) items.sort((a, b) => (day(a) < day(b) ? 1 : day(a) > day(b) ? -1 : 0))
  return { items, found, complete, inOrder }
}
