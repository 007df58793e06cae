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
}

/** Yields pages until all is seen, a page is empty or repeats the one before it, or `maxPages` is reached. */
export async function* walkPages<T>(options: WalkOptions<T>): AsyncGenerator<Page<T>, void, undefined> {
  let size = options.recordsPerPage
  let seen = 0
  let before = ''
  for (let pageNumber = 1; ; pageNumber++) {
    const fetched = await options.fetch(pageNumber, size)
    const marks = JSON.stringify(fetched.items.map(options.identify))
    const repeated = pageNumber > 1 && fetched.items.length > 0 && marks === before
    const items = repeated ? [] : fetched.items
    seen += items.length
    const walk = judgeWalk(repeated, items.length, seen, fetched.filteredRecords, pageNumber >= options.maxPages)
    yield { ...fetched, items, pageNumber, walk }
    if (walk !== 'more') return
    // A service that gives fewer than asked may still count its pages by what was asked: from the second page on,
    // asking for the length that came is right for either way of counting.
    if (pageNumber === 1 && items.length < size) size = items.length
    before = marks
  }
}

function judgeWalk(
  repeated: boolean,
  length: number,
  seen: number,
  filteredRecords: number | null,
  last: boolean,
): Page<unknown>['walk'] {
  if (filteredRecords !== null && seen >= filteredRecords) return 'complete'
  if (repeated) return 'cut'
  if (length === 0) return filteredRecords === null ? 'complete' : 'cut'
  return last ? 'cut' : 'more'
}
