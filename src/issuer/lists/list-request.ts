// Builds the body of a list request, with the search under both of its names, and parses the answer.

import type { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { readList, readShape } from '../read-shape.ts'
import type { FetchedPage } from '../walk-pages.ts'
import { type Envelope, pagerShape } from '../wire-shapes.ts'

export interface ListQuery {
  /** Search keys of the endpoint, such as { email_: '…' }. */
  search?: Record<string, unknown>
  /** The name of the field to sort by. */
  sortBy?: string
  sortOrder?: 'asc' | 'desc'
}

interface ListExtras {
  /** Further fields of the request. */
  extraFields?: Record<string, string | undefined> | undefined
  /** Whether the sort order is written in capitals. */
  upperCaseOrder?: boolean | undefined
}

/**
 * Builds a list request as JSON text; if `size` is null, no page size is sent. `search` is sent as JSON inside JSON,
 * under the documented name and under the name in the documentation's examples.
 */
export function listBody(query: ListQuery & ListExtras, pageNumber: number, size: number | null): string {
  const { search, sortBy, extraFields, upperCaseOrder } = query
  const searchText = search && JSON.stringify(search)
  const recordsPerPage = size ?? undefined
  const sortOrder = upperCaseOrder ? query.sortOrder?.toUpperCase() : query.sortOrder
  return JSON.stringify({
    ...extraFields,
    pageNumber,
    recordsPerPage,
    search: searchText,
    _search: searchText,
    sortBy,
    sortOrder,
  })
}

/**
 * Parses the items and counts of a list answer.
 * @throws WireError
 */
export function readListPage<S extends z.ZodType>(
  item: S,
  envelope: Envelope,
  endpoint: string,
): FetchedPage<z.output<S>> {
  const pager = readShape(pagerShape.nullish(), envelope.pager, endpoint, 'pager')
  const filteredRecords = pager?.filteredRecords ?? null
  return {
    // A missing list counts as an empty result only if the pager confirms it; otherwise the answer is unreadable.
    items: filteredRecords === 0 && isEmptyPayload(envelope.payload) ? [] : readList(item, envelope.payload, endpoint),
    filteredRecords,
    totalRecords: pager?.totalRecords ?? null,
  }
}

/** Reads one page of a walk. The first page determines the page size of the whole walk. */
export async function readWithPageSize<T>(
  { pageSize }: Endpoint,
  isFirst: boolean,
  size: number | null,
  read: (size: number | null) => Promise<FetchedPage<T>>,
): Promise<FetchedPage<T>> {
  if (!isFirst || size === null) return read(size)
  const { found, acceptedSize } = await pageSize.readFirstPage(size, read)
  return { ...found, requestedSize: acceptedSize }
}

function isEmptyPayload(payload: unknown): boolean {
  return payload === null || payload === undefined || JSON.stringify(payload) === '{}'
}
