// Parses page requests, and returns the requested page of a list. Pure.

import type { SandboxPager } from './envelope.ts'
import { type Fields, isFields } from './read-body.ts'
import { SandboxRefusal } from './refusal.ts'

export interface PageQuery {
  pageNumber: number
  recordsPerPage: number
  sortBy: string
  sortOrder: 'asc' | 'desc'
  /** The parsed search object; empty if none was sent. */
  search: Fields
}

export interface PageRules {
  /** Requests for more records than this are refused. */
  maxRequested?: number | undefined
  maxPage: number
  sortable: readonly string[]
  sortBy: string
  sortOrder: 'asc' | 'desc'
}

/**
 * Parses the body of a list call; without page fields it requests the first ten records.
 * @throws SandboxRefusal 400 naming the invalid field
 */
export function readPageQuery(fields: Fields, rules: PageRules): PageQuery {
  const sortBy = fields.sortBy ?? rules.sortBy
  // A wrong field is refused, so that a typo in a client is found here and not as a wrong order in production.
  if (typeof sortBy !== 'string' || !rules.sortable.includes(sortBy)) {
    throw new SandboxRefusal(400, `Bad request: sortBy must be one of ${rules.sortable.join(', ')}.`)
  }
  const sortOrder = String(fields.sortOrder ?? rules.sortOrder).toLowerCase()
  if (sortOrder !== 'asc' && sortOrder !== 'desc')
    throw new SandboxRefusal(400, 'Bad request: sortOrder must be asc or desc.')
  const { maxRequested = Number.POSITIVE_INFINITY } = rules
  if (fields.recordsPerPage !== undefined && Number(fields.recordsPerPage) > maxRequested) {
    throw new SandboxRefusal(400, `Bad request: recordsPerPage must be at most ${maxRequested}.`)
  }
  return {
    pageNumber: positive(fields, 'pageNumber', 1),
    recordsPerPage: Math.min(positive(fields, 'recordsPerPage', 10), rules.maxPage),
    sortBy,
    sortOrder,
    // The documentation's examples send _search, its tables say search; a client that sends both means the same thing.
    search: readSearch(fields._search ?? fields.search),
  }
}

function positive(fields: Fields, name: string, fallback: number): number {
  const value = fields[name] ?? fallback
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 1) return value
  throw new SandboxRefusal(400, `Bad request: ${name} must be a whole number from 1.`)
}

function readSearch(value: unknown): Fields {
  if (value === undefined || value === null || value === '') return {}
  try {
    const parsed: unknown = typeof value === 'string' ? JSON.parse(value) : null
    if (isFields(parsed)) return parsed
  } catch {
    // Not JSON, which is refused below with the same message.
  }
  throw new SandboxRefusal(400, 'Bad request: search must be a string that contains a JSON object.')
}

/** Returns the requested page of an ascending list; `desc` reads it from the end, so that nothing is sorted again. */
export function pageOf<T>(ascending: readonly T[], pageQuery: PageQuery): T[] {
  const skipped = (pageQuery.pageNumber - 1) * pageQuery.recordsPerPage
  if (pageQuery.sortOrder === 'asc') return ascending.slice(skipped, skipped + pageQuery.recordsPerPage)
  const end = Math.max(0, ascending.length - skipped)
  return ascending.slice(Math.max(0, end - pageQuery.recordsPerPage), end).reverse()
}

/** Returns a copy in ascending order of the text that `read` returns, nulls first. The sort is stable. */
export function sortedBy<T>(list: readonly T[], read: (each: T) => string | null): T[] {
  const keyed = list.map((each) => ({ each, text: read(each) ?? '' }))
  keyed.sort((a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : 0))
  return keyed.map(({ each }) => each)
}

export function pagerOf(pageQuery: PageQuery, filteredRecords: number, totalRecords: number): SandboxPager {
  const { pageNumber, recordsPerPage, sortBy, sortOrder } = pageQuery
  return { pageNumber, recordsPerPage, filteredRecords, totalRecords, sortBy, sortOrder }
}
