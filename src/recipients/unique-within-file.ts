// Finds two people with one value of a field that the service wants to be unique, within one file. Nobody here can tell whose it is, so neither
// row is taken; the earlier one was let through when the later one comes, and is refused when the file is read once more.

import { type ColumnPlan, placeOf } from './column-plan.ts'
import { DigestIndex, digestOf } from './digest-index.ts'
import type { Field } from './field.ts'
import { type Violation, violation } from './violation.ts'

/** Rows that were let through before somebody else's row with their value came: by row, the field's display name and that other row. */
export type SharedValues = ReadonlyMap<number, ReadonlyMap<string, number>>

export interface UniqueChecker {
  /**
   * Call once for each good row, in order. `identity` says who the row is about, as the ledger does. A row is violated, and named the
   * other one, when somebody else has its value: in an earlier row, or in a later one that an earlier reading found. Further rows of one
   * identity are duplicates, which are counted elsewhere, and no violation.
   */
  check(row: number, recipient: Readonly<Record<string, string>>, identity: string): Violation[]
  /** All that are known so far. Where there are more than before, the file has to be read again: its earlier rows were let through. */
  shared(): SharedValues
}

/**
 * A checker for one reading of a file; `plan` gives violations their column's title instead of the field's name. Values are compared
 * as they are sent: whether the service minds case is not known. Only digests are kept, and only for as long as the checker is.
 * @param known what the reading before this one found
 */
export function uniqueWithinFile(
  fields: readonly Field[],
  plan: ColumnPlan = [],
  known: SharedValues = new Map(),
): UniqueChecker {
  const unique = fields.filter((field) => field.unique).map((field) => ({ field, seen: new DigestIndex() }))
  const planned = new Map(plan.map((each) => [each.field.displayName, each]))
  const shared = new Map([...known].map(([row, by]) => [row, new Map(by)]))

  function notUnique(row: number, name: string, value: string, other: number): Violation {
    const wrong = `which row ${other} has for somebody else, and the course wants “${name}” to be unique`
    const from = planned.get(name)
    const place = from ? placeOf(from, row) : { row, column: name, field: name }
    return violation(place, value, { rule: 'unique', wrong, remedy: 'Correct the row that has the wrong value.' })
  }

  function note(first: number, name: string, other: number): void {
    const by = shared.get(first) ?? new Map<string, number>()
    if (!by.has(name)) shared.set(first, by.set(name, other))
  }

  return {
    shared: () => shared,
    check(row, recipient, identity) {
      if (unique.length === 0) return []
      const owner = digestOf(identity)
      return unique.flatMap(({ field, seen }) => {
        const name = field.displayName
        const value = recipient[name]
        if (value === undefined) return []
        const first = seen.keepFirst(digestOf(value), { row, owner }) ?? { row, owner }
        if (first.owner[0] !== owner[0] || first.owner[1] !== owner[1]) {
          note(first.row, name, row)
          return [notUnique(row, name, value, first.row)]
        }
        const other = known.get(first.row)?.get(name)
        return other === undefined ? [] : [notUnique(row, name, value, other)]
      })
    },
  }
}
