// Reads a paged list of the service page by page; used for all lists except the report.

import type { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import type { ServiceReader } from '../retrying-reader.ts'
import { type RouteName, routeTo } from '../routes.ts'
import { type Page, walkPages } from '../walk-pages.ts'
import { type ListQuery, listBody, readListPage, readWithPageSize } from './list-request.ts'

/** Yields pages in order until complete or cut (see Page.walk). Throws the errors of the reader, and WireError. */
export type Pages<T> = AsyncIterable<Page<T>>

export interface PagedQuery<Search = Record<string, never>> extends Omit<ListQuery, 'search'> {
  /** Only keys that the service's documentation lists for this endpoint. */
  search?: Search
  /**
   * Items to request at a time. The service may return fewer or more; if it refuses this many, fewer are requested.
   * Default 200.
   */
  recordsPerPage?: number
  /** The walk is cut after this many pages. Default 500. */
  maxPages?: number
}

export interface ListDescription<S extends z.ZodType> {
  name: Extract<RouteName, `${string}-list`>
  item: S
  /** Returns the item's uuid, which is used to recognize duplicates. */
  uuid: (item: z.output<S>) => string | null
  /** Further fields of the request, besides paging, order and search. */
  extraFields?: Record<string, string | undefined>
  /** Whether the sort order is written in capitals, as in the documentation of two lists. */
  upperCaseOrder?: boolean
}

/** Walks the described list. */
export function walkList<S extends z.ZodType>(
  endpoint: Endpoint,
  read: ServiceReader,
  list: ListDescription<S>,
  query: PagedQuery<object> = {},
): Pages<z.output<S>> {
  const { recordsPerPage = 200, maxPages = 500, search, ...order } = query
  return walkPages({
    fetch: (pageNumber, wanted) =>
      readWithPageSize(endpoint, pageNumber === 1, wanted, async (size) => {
        const { extraFields, upperCaseOrder } = list
        const listQuery = { ...order, ...(search && { search: { ...search } }), extraFields, upperCaseOrder }
        const body = listBody(listQuery, pageNumber, size)
        return readListPage(list.item, await read(endpoint, { ...routeTo(list.name), body }), endpoint.name)
      }),
    identify: (item) => list.uuid(item) ?? JSON.stringify(item),
    recordsPerPage,
    maxPages,
    distinct: true,
  })
}

/** Collects all items of a walk. `complete` is false if they are only part of the list. */
export async function collectItems<T>(pages: Pages<T>): Promise<{ items: T[]; complete: boolean }> {
  const items: T[] = []
  let complete = false
  for await (const page of pages) {
    items.push(...page.items)
    complete = page.walk === 'complete'
  }
  return { items, complete }
}
