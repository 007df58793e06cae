// Makes a list endpoint of the service from its items, its search and sort keys, and the format of its response.

import type { SandboxEndpoint } from '#sandboxes/service/call.ts'
import { success } from '#sandboxes/service/envelope.ts'
import { pageOf, pagerOf, readPageQuery, sortedBy } from '#sandboxes/service/page.ts'
import { type Fields, fieldsOf } from '#sandboxes/service/read-body.ts'
import { SandboxRefusal } from '#sandboxes/service/refusal.ts'
import { folded } from '#sandboxes/service/request-store.ts'
import type { RouteContext } from '#sandboxes/service/route-context.ts'

export interface Listing<T extends object> {
  path: string
  message: string
  /**
   * Returns the items for a call, before searching and paging.
   * @throws SandboxRefusal for a field that selects none of them
   */
  items(fields: Fields): readonly T[]
  /** Fields to sort by; the first is the default. */
  sortable: readonly [keyof T & string, ...(keyof T & string)[]]
  /** By search key, the text of an item that is searched: it matches by substring, ignoring case. */
  search: Readonly<Record<string, (item: T) => string>>
  payload(items: readonly object[]): unknown
  /** Set for sponsors and signatures, whose pager has sortField and the order in upper case. */
  pager?: 'sortField'
}

/** The payload of most lists. */
export const inData = (items: readonly object[]) => ({ data: items })

export function listEndpoint<T extends object>({ settings }: RouteContext, listing: Listing<T>): SandboxEndpoint {
  const { path, sortable, message, payload } = listing
  const rules = { maxPage: settings.maxPage, sortable, sortBy: sortable[0], sortOrder: 'asc' } as const
  return {
    method: 'POST',
    path,
    admits: 'bearers',
    answer({ body }) {
      const fields = fieldsOf(body ?? {})
      const pageQuery = readPageQuery(
        { ...fields, sortBy: fields.sortBy ?? fields.sortField },
        {
          ...rules,
          maxRequested: settings.faults.maxRecordsPerPage,
        },
      )
      const all = listing.items(fields)
      const found = all.filter((item) => matches(item, pageQuery.search, listing.search))
      const data = pageOf(
        sortedBy(found, (item) => sortText(item[pageQuery.sortBy as keyof T])),
        pageQuery,
      )
      const { sortBy, ...pager } = pagerOf(pageQuery, found.length, all.length)
      const pagerFields =
        listing.pager === 'sortField'
          ? { ...pager, sortField: sortBy, sortOrder: pager.sortOrder.toUpperCase() }
          : { ...pager, sortBy }
      return { json: success(message, payload(data), pagerFields) }
    },
  }
}

function matches<T extends object>(item: T, search: Fields, readings: Listing<T>['search']): boolean {
  return Object.entries(search).every(([key, value]) => {
    const reading = Object.hasOwn(readings, key) ? readings[key] : undefined
    if (!reading || typeof value !== 'string')
      throw new SandboxRefusal(
        400,
        `Bad request: search takes text for ${Object.keys(readings).join(', ') || 'nothing'}.`,
      )
    return folded(reading(item)).includes(folded(value))
  })
}

// Pads numbers to strings of one length, so that 9 sorts before 10.
function sortText(value: unknown): string {
  return typeof value === 'number' ? String(value).padStart(15, '0') : String(value ?? '')
}
