// Reads a paged list to its end, without relying on the pager alone.

import { hash } from 'node:crypto'

export interface Page<T> {
  items: T[]
  /** 1 for the first page. */
  pageNumber: number
  /** How many items match, according to the pager; null if the pager does not report it. */
  filteredRecords: number | null
  totalRecords: number | null
  /**
   * `more`: another page follows. `complete`: as many items as the pager counted have arrived; without `distinct`, the
   * same item may have been counted twice, so the caller has to check. `cut`: the walk ends although there should be
   * more, so nothing may be concluded from the absence of an item.
   */
  walk: 'more' | 'complete' | 'cut'
}

export interface FetchedPage<T> extends Pick<Page<T>, 'items' | 'filteredRecords' | 'totalRecords'> {
  /**
   * The number of records requested, if it differs from what the walk wanted; null if the request did not specify one.
   */
  requestedSize?: number | null
}

export interface WalkOptions<T> {
  fetch: (pageNumber: number, recordsPerPage: number | null) => Promise<FetchedPage<T>>
  /** Returns a key that distinguishes items; it must be the same each time an item is read. */
  identify: (item: T) => string
  recordsPerPage: number
  maxPages: number
  /** The page to start with; items of earlier pages count as seen. Default 1. */
  firstPage?: number
  /**
   * For lists in which each item has a uuid: an item that an earlier page contained is neither returned nor counted
   * again, and a page without new items ends the walk. Not for the report, where rows may be identical and the caller
   * decides what a repeated row means. Default false.
   */
  distinct?: boolean
  /**
   * Whether the next page is fetched while one is being processed. This begins with the fourth page, because the
   * request is wasted if the caller ends the walk early. Two pages are never fetched at the same time: a page that is
   * answered before an earlier one may lack items that new ones have since moved to it. Default false.
   */
  readsAhead?: boolean
}

// If an answer without a pager has exactly this many items, it may be only a first page: this is the documented default
// page size.
const defaultPageSize = 10

/**
 * Yields pages until as many items have arrived as the pager counts, a page is empty or repeats an earlier one that
 * has not moved (see hasMoved), or `maxPages` is reached.
 */
export async function* walkPages<T>(options: WalkOptions<T>): AsyncGenerator<Page<T>, void, undefined> {
  const { fetch, identify, maxPages, distinct = false, firstPage = 1, readsAhead = false } = options
  const knownItems = new Set<string>()
  /** By a digest of the page. */
  const earlierPages = new Map<string, EarlierPage>()
  let size: number | null = options.recordsPerPage
  let seen = 0
  let firstLength = 0
  let firstRequested: number | null = size
  let ahead: Promise<FetchedPage<T>> | null = null
  for (let pageNumber = firstPage; ; pageNumber++) {
    const page: FetchedPage<T> = await (ahead ?? fetch(pageNumber, size))
    const { requestedSize, ...fetched } = page
    ahead = null
    // Positions are correct only if all pages have the same size.
    if (requestedSize !== undefined) size = requestedSize
    if (pageNumber === firstPage) seen = (firstPage - 1) * (size ?? defaultPageSize)
    // Only a digest of each page is kept, because a walk through a whole report may have thousands of pages.
    const pageDigest = hash('sha256', JSON.stringify(fetched.items.map(identify)))
    const { filteredRecords } = fetched
    const now = { pageNumber, filteredRecords }
    const before = earlierPages.get(pageDigest)
    const repeated = before !== undefined && fetched.items.length > 0 && !hasMoved(before, now, fetched.items.length)
    const items = repeated
      ? []
      : distinct
        ? fetched.items.filter((item) => !knownItems.has(identify(item)))
        : fetched.items
    // Added only now, because an item that appears twice on one page is in the list twice.
    if (distinct) for (const item of items) knownItems.add(identify(item))
    seen += items.length
    if (pageNumber === firstPage) {
      firstLength = fetched.items.length
      firstRequested = size
    }
    const walk = progressOf({
      stale: items.length === 0 && fetched.items.length > 0,
      length: items.length,
      seen,
      filteredRecords,
      isLast: pageNumber - firstPage + 1 >= maxPages,
      unpaged: distinct && pageNumber === 2 && firstLength !== defaultPageSize && firstLength !== firstRequested,
    })
    if (readsAhead && walk === 'more' && pageNumber >= firstPage + 3) {
      ahead = fetch(pageNumber + 1, size)
      // The error is thrown where the page is awaited; this handler only prevents an unhandled rejection.
      ahead.catch(() => {})
    }
    yield { ...fetched, items, pageNumber, walk }
    if (walk !== 'more') return
    // A service that returns fewer items than requested may still count its pages by the requested size. From the
    // second page on, requesting the length of the first page is right either way.
    if (pageNumber === firstPage && size !== null && items.length < size) size = items.length
    earlierPages.set(pageDigest, now)
  }
}

interface EarlierPage {
  pageNumber: number
  /** How many items matched when it was read. */
  filteredRecords: number | null
}

/**
 * Whether a page repeats an earlier one because new items have pushed it down: at least as many were added as the
 * pages in between hold. If not, the service has returned the wrong page. Pure.
 */
function hasMoved(before: EarlierPage, now: EarlierPage, length: number): boolean {
  if (before.filteredRecords === null || now.filteredRecords === null) return false
  return now.filteredRecords - before.filteredRecords >= (now.pageNumber - before.pageNumber) * length
}

interface WalkProgress {
  /**
   * True if the page has items, but none of them is new. With `distinct`, `length` and `seen` count new items only;
   * without it, all items of pages that are not repeated.
   */
  stale: boolean
  length: number
  seen: number
  filteredRecords: number | null
  /** True if no further page may be requested. */
  isLast: boolean
  /** True if a repeated page means that the list has no pages, rather than that the service is faulty. */
  unpaged: boolean
}

function progressOf({ stale, length, seen, filteredRecords, isLast, unpaged }: WalkProgress): Page<unknown>['walk'] {
  if (filteredRecords !== null && seen >= filteredRecords) return 'complete'
  // The documentation says that the pager is an empty object if a list is not paginated. Such a list is returned
  // completely, whichever page is requested.
  if (stale) return filteredRecords === null && unpaged ? 'complete' : 'cut'
  if (length === 0) return filteredRecords === null ? 'complete' : 'cut'
  return isLast ? 'cut' : 'more'
}
