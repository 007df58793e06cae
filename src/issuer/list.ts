// A paged list of the service as a walk over its pages: what all lists but the report have in common.

import type { z } from 'zod'
import type { Endpoint } from './endpoint.ts'
import { type ListQuery, listBody, readPage } from './list-request.ts'
import type { Reader } from './reader.ts'
import { type RouteName, routeTo } from './routes.ts'
import { type Page, walkPages } from './walk-pages.ts'

/** A list as it is read: pages in order until complete or cut (see Page.walk). Throws what Reader throws, and WireError. */
export type Pages<T> = AsyncIterable<Page<T>>

export interface PagedQuery<Search = Record<string, never>> extends Omit<ListQuery, 'search'> {
  /** Only the keys that the service's document names for this list. */
  search?: Search
  /** Items to ask for at once; the service may give fewer or more. Default 200: the greatest number is not documented. */
  recordsPerPage?: number
  /** The walk is cut after so many pages. Default 500. */
  maxPages?: number
}

export interface ListOf<S extends z.ZodType> {
  name: Extract<RouteName, `${string}-list`>
  item: S
  /** The item's own uuid, by which one that comes twice is known. */
  uuid: (item: z.output<S>) => string | null
  /** Further fields of the request, beside pages, order and search. */
  also?: Record<string, string | undefined>
  /** Two lists are documented with orders in capitals. */
  capitals?: boolean
}

/** Walks the list that `of` describes. */
export function walkList<S extends z.ZodType>(
  endpoint: Endpoint,
  read: Reader,
  of: ListOf<S>,
  query: PagedQuery<object> = {},
): Pages<z.output<S>> {
  const { recordsPerPage = 200, maxPages = 500, search, ...order } = query
  return walkPages({
    async fetch(pageNumber, size) {
      const asked = { ...order, ...(search && { search: { ...search } }), also: of.also, capitals: of.capitals }
      const body = listBody(asked, pageNumber, size)
      return readPage(of.item, await read(endpoint, { ...routeTo(of.name), body }), endpoint.name)
    },
    identify: (item) => of.uuid(item) ?? JSON.stringify(item),
    recordsPerPage,
    maxPages,
    distinct: true,
  })
}

/** Every item of a walk, and whether that is the whole list (`complete`) or only a part of it. */
export async function collectItems<T>(pages: Pages<T>): Promise<{ items: T[]; complete: boolean }> {
  const items: T[] = []
  let complete = false
  for await (const page of pages) {
    items.push(...page.items)
    complete = page.walk === 'complete'
  }
  return { items, complete }
}
