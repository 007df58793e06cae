// The columns that credsync adds to the files it writes, and how such a file is recognized when it is submitted again.
// Pure, apart from a cache.

/** Placed before the cells of an invalid row. */
export const problemColumns = ['row', 'column', 'rule', 'what_to_do']
/** Placed after the cells of an invalid row; filled if those cells no longer show what was wrong with the row. */
export const fixColumn = 'empty_when_mended'
/** Placed after the cells of each row in a results file. */
export const outcomeColumns = ['status', 'credential_id', 'verifier_link', 'issue_date', 'valid_till', 'reason']

export interface AddedColumns {
  /** The positions of all columns that were added to an invalid-rows file. */
  all: ReadonlySet<number>
  /** The positions of the columns that people empty once a row is fixed; usually one. */
  toEmpty: readonly number[]
}

// Cached, because the same header is looked up for each of its rows.
const cache = new WeakMap<readonly string[], AddedColumns>()

/**
 * Finds the added columns in the header of an invalid-rows file; finds none in any other file. The first four are
 * recognized by their sequence, because each of their names is an ordinary one. The last one is recognized by its name,
 * which no one else uses.
 */
export function findAddedColumns(header: readonly string[]): AddedColumns {
  const cached = cache.get(header)
  if (cached) return cached
  const added = searchHeader(header)
  cache.set(header, added)
  return added
}

function searchHeader(header: readonly string[]): AddedColumns {
  const names = header.map(plainName)
  const toEmpty = names.flatMap((name, index) => (name === fixColumn ? [index] : []))
  const all = new Set(toEmpty)
  for (let at = 0; at + problemColumns.length <= names.length; at++) {
    if (occursAt(names, problemColumns, at)) for (const index of problemColumns.keys()) all.add(at + index)
  }
  return { all, toEmpty }
}

/** @returns true if credsync wrote the file with this header, as an invalid-rows file or a results file */
export function isWrittenByUs(header: readonly string[]): boolean {
  const names = header.map(plainName)
  return findAddedColumns(header).all.size > 0 || names.some((_, at) => occursAt(names, outcomeColumns, at))
}

/**
 * @returns true if this is the header of a results file. Such a file cannot be submitted again: it does not show what
 * was wrong with a row, because the cells became plain text. It is recognized by three names that do not occur together
 * in any list of people, so columns may have been moved, added or deleted
 */
export function isResultsHeader(header: readonly string[]): boolean {
  const names = new Set(header.map(plainName))
  return ['status', 'credential_id', 'reason'].every((name) => names.has(name))
}

/** Renames each of the `added` column names that occurs in `taken`, ignoring case. */
export function uniqueNames(taken: readonly string[], added: readonly string[]): string[] {
  const used = new Set(taken.map((name) => name.toLowerCase()))
  return added.map((name) => {
    let free = name
    for (let count = 1; used.has(free); count++) free = `credsync_${name}${count > 1 ? `_${count}` : ''}`
    return free
  })
}

/** Removes the prefix and suffix that `uniqueNames` adds. */
function plainName(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/^credsync_(.+?)(?:_\d+)?$/, '$1')
}

function occursAt(names: readonly string[], sequence: readonly string[], at: number): boolean {
  return sequence.every((name, index) => names[at + index] === name)
}
