// Walks a paged list to its end, and does not trust the pager to have one.

export interface Page<T> {
  items: T[]
  /** 1 for the first. */
  pageNumber: number
  /** How many items match, by the pager; null when it does not say. */
  filteredRecords: number | null
  totalRecords: number | null
  /**
   * `more`: another page follows. `complete`: with this page all that the pager promised has come. `cut`: the walk ends
   * though more was promised, so nothing may be concluded from what was not seen.
   */
  walk: 'more' | 'complete' | 'cut'
}

export type FetchedPage<T> = Pick<Page<T>, 'items' | 'filteredRecords' | 'totalRecords'>

export interface WalkOptions<T> {
  fetch: (pageNumber: number, recordsPerPage: number) => Promise<FetchedPage<T>>
  /** What tells two items apart; must be stable from one reading to the next. */
  identify: (item: T) => string
  recordsPerPage: number
  maxPages: number
  /**
   * For lists whose items have a uuid each: an item that an earlier page brought is neither given nor counted again, and a page that brings nothing new ends the
   * walk. Not for the report, where rows may be alike and its reader has a judgement of its own. Default false.
   */
  distinct?: boolean
}

// Of an answer without a pager, this many are suspicious: so many come "when no pagination is given".
const defaultPage = 10

/** Yields pages until all is seen, a page is empty or brings what an earlier one brought, or `maxPages` is reached. */
export async function* walkPages<T>(options: WalkOptions<T>): AsyncGenerator<Page<T>, void, undefined> {
  const { fetch, identify, maxPages, distinct = false } = options
  const known = new Set<string>()
  const earlier = new Set<string>()
  let size = options.recordsPerPage
  let seen = 0
  let first = 0
  for (let pageNumber = 1; ; pageNumber++) {
    const fetched = await fetch(pageNumber, size)
    const marks = JSON.stringify(fetched.items.map(identify))
    const repeated = fetched.items.length > 0 && earlier.has(marks)
    const items = repeated ? [] : distinct ? fetched.items.filter((item) => !known.has(identify(item))) : fetched.items
    // Only now: what one page shows twice is twice in the list.
    for (const item of items) known.add(identify(item))
    seen += items.length
    if (pageNumber === 1) first = fetched.items.length
    const walk = judgeWalk({
      stale: items.length === 0 && fetched.items.length > 0,
      length: items.length,
      seen,
      filteredRecords: fetched.filteredRecords,
      last: pageNumber >= maxPages,
      unpaged: distinct && pageNumber === 2 && first !== defaultPage && first !== options.recordsPerPage,
    })
    yield { ...fetched, items, pageNumber, walk }
    if (walk !== 'more') return
    // A service that gives fewer than asked may still count its pages by what was asked: from the second page on,
    // asking for the length that came is right for either way of counting.
    if (pageNumber === 1 && items.length < size) size = items.length
    earlier.add(marks)
  }
}

interface Seen {
  /** Something came, and nothing of it was new. */
  stale: boolean
  length: number
  seen: number
  filteredRecords: number | null
  /** No further page may be asked for. */
  last: boolean
  /** A repeated page here means a list without pages, not a broken one. */
  unpaged: boolean
}

function judgeWalk({ stale, length, seen, filteredRecords, last, unpaged }: Seen): Page<unknown>['walk'] {
  if (filteredRecords !== null && seen >= filteredRecords) return 'complete'
  // Documented: the pager is an empty object when a list is not paginated. Such a list comes whole whichever page is asked for.
  if (stale) return filteredRecords === null && unpaged ? 'complete' : 'cut'
  if (length === 0) return filteredRecords === null ? 'complete' : 'cut'
  return last ? 'cut' : 'more'
}
