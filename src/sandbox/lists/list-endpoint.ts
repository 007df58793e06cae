// One listing of the service: its items, what they can be searched and sorted by, and how its answer is wrapped.

import type { Endpoint } from '#src/sandbox/call.ts'
import { success } from '#src/sandbox/envelope.ts'
import { pageOf, pagerOf, readPage, sortedBy } from '#src/sandbox/page.ts'
import type { Premises } from '#src/sandbox/premises.ts'
import { type Fields, fieldsOf } from '#src/sandbox/read-body.ts'
import { Refusal } from '#src/sandbox/refusal.ts'
import { folded } from '#src/sandbox/request-book.ts'

export interface Listing<T extends object> {
  path: string
  message: string
  /** The items of this call, before search and page. @throws Refusal for a field that picks none of them */
  items(fields: Fields): readonly T[]
  /** Fields to sort by, the first of them when nothing is asked. */
  sortable: readonly [keyof T & string, ...(keyof T & string)[]]
  /** What a search may name: texts that match by a part, without case. */
  search: Readonly<Record<string, (item: T) => string>>
  payload(items: readonly object[]): unknown
  /** Sponsors and signatures: the pager says sortField, and the order in upper case. */
  pager?: 'sortField'
}

/** The payload of most listings. */
export const inData = (items: readonly object[]) => ({ data: items })

export function listEndpoint<T extends object>({ settings }: Premises, listing: Listing<T>): Endpoint {
  const { path, sortable, message, payload } = listing
  const rules = { maxPage: settings.maxPage, sortable, sortBy: sortable[0], sortOrder: 'asc' } as const
  return {
    method: 'POST',
    path,
    admits: 'bearers',
    answer({ body }) {
      const fields = fieldsOf(body ?? {})
      const wish = readPage({ ...fields, sortBy: fields.sortBy ?? fields.sortField }, rules)
      const all = listing.items(fields)
      const found = all.filter((item) => matches(item, wish.search, listing.search))
      const data = pageOf(
        sortedBy(found, (item) => sortText(item[wish.sortBy as keyof T])),
        wish,
      )
      const { sortBy, ...pager } = pagerOf(wish, found.length, all.length)
      const shown =
        listing.pager === 'sortField'
          ? { ...pager, sortField: sortBy, sortOrder: pager.sortOrder.toUpperCase() }
          : { ...pager, sortBy }
      return { json: success(message, payload(data), shown) }
    },
  }
}

function matches<T extends object>(item: T, search: Fields, readings: Listing<T>['search']): boolean {
  return Object.entries(search).every(([key, value]) => {
    const reading = Object.hasOwn(readings, key) ? readings[key] : undefined
    if (!reading || typeof value !== 'string')
      throw new Refusal(400, `Bad request: search takes text for ${Object.keys(readings).join(', ') || 'nothing'}.`)
    return folded(reading(item)).includes(folded(value))
  })
}

// Numbers as texts of one length, so that 9 stands before 10.
function sortText(value: unknown): string {
  return typeof value === 'number' ? String(value).padStart(15, '0') : String(value ?? '')
}
