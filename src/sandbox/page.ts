// Pages of lists: what a call asks for, and the piece of the list that answers it.

import type { Pager } from './envelope.ts'
import { type Fields, isFields } from './read-body.ts'
import { Refusal } from './refusal.ts'

export interface PageWish {
  pageNumber: number
  recordsPerPage: number
  sortBy: string
  sortOrder: 'asc' | 'desc'
  /** The parsed search object; empty when none was sent. */
  search: Fields
}

export interface PageRules {
  maxPage: number
  sortable: readonly string[]
  sortBy: string
  sortOrder: 'asc' | 'desc'
}

/** Reads a list call's body; without page fields it is the first ten. @throws Refusal 400 naming the field at fault. */
export function readPage(fields: Fields, rules: PageRules): PageWish {
  const sortBy = fields.sortBy ?? rules.sortBy
  // Refused rather than ignored: a typing error in a client should show here, not as a strange order in production.
  if (typeof sortBy !== 'string' || !rules.sortable.includes(sortBy)) {
    throw new Refusal(400, `Bad request: sortBy must be one of ${rules.sortable.join(', ')}.`)
  }
  const sortOrder = String(fields.sortOrder ?? rules.sortOrder).toLowerCase()
  if (sortOrder !== 'asc' && sortOrder !== 'desc') throw new Refusal(400, 'Bad request: sortOrder must be asc or desc.')
  return {
    pageNumber: positive(fields, 'pageNumber', 1),
    recordsPerPage: Math.min(positive(fields, 'recordsPerPage', 10), rules.maxPage),
    sortBy,
    sortOrder,
    // The examples send _search and the tables say search; a client that sends both means the same by both.
    search: readSearch(fields._search ?? fields.search),
  }
}

function positive(fields: Fields, name: string, fallback: number): number {
  const value = fields[name] ?? fallback
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 1) return value
  throw new Refusal(400, `Bad request: ${name} must be a whole number from 1.`)
}

function readSearch(value: unknown): Fields {
  if (value === undefined || value === null || value === '') return {}
  try {
    const parsed: unknown = typeof value === 'string' ? JSON.parse(value) : null
    if (isFields(parsed)) return parsed
  } catch {
    // Not JSON: refused below with the same words.
  }
  throw new Refusal(400, 'Bad request: search must be a string that contains a JSON object.')
}

/** The asked page of a list that stands in ascending order; `desc` reads it from its end, so nothing is sorted again. */
export function pageOf<T>(ascending: readonly T[], wish: PageWish): T[] {
  const skipped = (wish.pageNumber - 1) * wish.recordsPerPage
  if (wish.sortOrder === 'asc') return ascending.slice(skipped, skipped + wish.recordsPerPage)
  const end = Math.max(0, ascending.length - skipped)
  return ascending.slice(Math.max(0, end - wish.recordsPerPage), end).reverse()
}

/** A sorted copy, ascending by the text that `read` gives; entries without one stand first. Equals keep their order. */
export function sortedBy<T>(list: readonly T[], read: (each: T) => string | null): T[] {
  const keyed = list.map((each) => ({ each, text: read(each) ?? '' }))
  keyed.sort((a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : 0))
  return keyed.map(({ each }) => each)
}

export function pagerOf(wish: PageWish, filteredRecords: number, totalRecords: number): Pager {
  const { pageNumber, recordsPerPage, sortBy, sortOrder } = wish
  return { pageNumber, recordsPerPage, filteredRecords, totalRecords, sortBy, sortOrder }
}
