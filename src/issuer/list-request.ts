// The body of a listing request, in both spellings of its search.

import type { z } from 'zod'
import { readList, readShape } from './read-shape.ts'
import type { FetchedPage } from './walk-pages.ts'
import { type Envelope, pagerShape } from './wire.ts'

export interface ListQuery {
  /** Search keys of the endpoint, such as { email_: '…' }. */
  search?: Record<string, unknown>
  /** Name of a field. */
  sortBy?: string
  sortOrder?: 'asc' | 'desc'
}

interface ListExtras {
  also?: Record<string, string | undefined> | undefined
  capitals?: boolean | undefined
}

/** JSON text of a listing request. `search` travels as JSON inside JSON, under the documented name and the one of the examples. */
export function listBody(query: ListQuery & ListExtras, pageNumber: number, recordsPerPage: number): string {
  const { search, sortBy, also, capitals } = query
  const found = search && JSON.stringify(search)
  const sortOrder = capitals ? query.sortOrder?.toUpperCase() : query.sortOrder
  return JSON.stringify({ ...also, pageNumber, recordsPerPage, search: found, _search: found, sortBy, sortOrder })
}

/** Items and counts of a listing answer. Throws WireError. */
export function readPage<S extends z.ZodType>(item: S, envelope: Envelope, endpoint: string): FetchedPage<z.output<S>> {
  const pager = readShape(pagerShape.nullish(), envelope.pager, endpoint, 'pager')
  const filteredRecords = pager?.filteredRecords ?? null
  return {
    // "Nothing" may come without a list, but only the pager's word makes it so: a missing list alone is unreadable.
    items: filteredRecords === 0 && isBare(envelope.payload) ? [] : readList(item, envelope.payload, endpoint),
    filteredRecords,
    totalRecords: pager?.totalRecords ?? null,
  }
}

function isBare(payload: unknown): boolean {
  return payload === null || payload === undefined || JSON.stringify(payload) === '{}'
}
