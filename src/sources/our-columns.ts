// The columns that we put into the files we write, and how they are known again when such a file comes back.

/** In front of a row that was not taken. */
export const problemColumns = ['row', 'column', 'rule', 'what_to_do']
/** Behind it: filled where the row's own cells do not show any more what was wrong with it. */
export const mendColumn = 'empty_when_mended'
/** Behind every row of the results. */
export const outcomeColumns = ['status', 'credential_id', 'verifier_link', 'issue_date', 'valid_till', 'reason']

export interface OurColumns {
  /** Positions of all columns that a file of invalid rows had from us. */
  all: ReadonlySet<number>
  /** Positions of those among them that are to be emptied. Mostly one. */
  toEmpty: readonly number[]
}

// Asked for with one header for each of its rows.
const found = new WeakMap<readonly string[], OurColumns>()

/**
 * Our columns in the header of a file of invalid rows; none in any other. The four in front are known by standing together in their
 * order, because each alone is an ordinary name; the last one is a name that nobody else gives.
 */
export function findOurColumns(header: readonly string[]): OurColumns {
  const before = found.get(header)
  if (before) return before
  const ours = lookForOurs(header)
  found.set(header, ours)
  return ours
}

function lookForOurs(header: readonly string[]): OurColumns {
  const names = header.map(plainName)
  const toEmpty = names.flatMap((name, index) => (name === mendColumn ? [index] : []))
  const all = new Set(toEmpty)
  for (let at = 0; at + problemColumns.length <= names.length; at++) {
    if (standsAt(names, problemColumns, at)) for (const index of problemColumns.keys()) all.add(at + index)
  }
  return { all, toEmpty }
}

/** Whether a file with this header was written by us: rows that were not taken, or results. */
export function isOfOurs(header: readonly string[]): boolean {
  const names = header.map(plainName)
  return findOurColumns(header).all.size > 0 || names.some((_, at) => standsAt(names, outcomeColumns, at))
}

/**
 * Whether these are results that we wrote: what was wrong with a row can't be seen in them, because its cells became plain texts. Told by three
 * names that no list of people has together, so also when columns were moved, added or deleted.
 */
export function isResults(header: readonly string[]): boolean {
  const names = new Set(header.map(plainName))
  return ['status', 'credential_id', 'reason'].every((name) => names.has(name))
}

/** `ours`, each under a name that `taken` does not have; the case of letters makes no difference. */
export function freeNames(taken: readonly string[], ours: readonly string[]): string[] {
  const used = new Set(taken.map((name) => name.toLowerCase()))
  return ours.map((name) => {
    let free = name
    for (let count = 1; used.has(free); count++) free = `credsync_${name}${count > 1 ? `_${count}` : ''}`
    return free
  })
}

/** Without what `freeNames` adds. */
function plainName(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/^credsync_(.+?)(?:_\d+)?$/, '$1')
}

function standsAt(names: readonly string[], ours: readonly string[], at: number): boolean {
  return ours.every((name, index) => names[at + index] === name)
}
