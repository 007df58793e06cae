// Finds different people in one file who share the value of a field that must be unique. Nothing shows whose value it
// is, so both rows are rejected: the later row immediately, and the earlier one, which has already passed, when the
// file is read again. Keeps digests in memory.

import { type ColumnPlan, placeOfColumn } from './column-plan.ts'
import { DigestIndex, digestOf } from './digest-index.ts'
import type { Field } from './field.ts'
import { type Violation, violation } from './violation.ts'

/**
 * Rows that passed before another person's row with the same value appeared. Maps the row's number to the display name
 * of the field, and that to the number of the other row.
 */
export type SharedValues = ReadonlyMap<number, ReadonlyMap<string, number>>

export interface UniqueChecker {
  /**
   * Call once for each valid row, in order. `identity` identifies the person, as in the ledger. Reports a violation
   * that names the other row if a different person has the same value in an earlier row, or in a later row that an
   * earlier reading found. Repeated rows of the same person are not violations but duplicates, which are counted
   * elsewhere.
   */
  check(row: number, recipient: Readonly<Record<string, string>>, identity: string): Violation[]
  /**
   * Returns all shared values found so far. If there are more than before this reading, the file has to be read again,
   * because earlier rows have already passed.
   */
  shared(): SharedValues
}

/**
 * Makes a checker for one reading of a file. Values are compared as they are sent, because it is not known whether the
 * service ignores case. Only digests are kept, for the lifetime of the checker.
 * @param plan if given, violations name the title of the column instead of the field
 * @param known the shared values that the previous reading found
 */
export function uniqueWithinFile(
  fields: readonly Field[],
  plan: ColumnPlan = [],
  known: SharedValues = new Map(),
): UniqueChecker {
  const unique = fields.filter((field) => field.unique).map((field) => ({ field, seen: new DigestIndex() }))
  const planned = new Map(plan.map((each) => [each.field.displayName, each]))
  const shared = new Map([...known].map(([row, byField]) => [row, new Map(byField)]))

  function notUnique(row: number, name: string, value: string, other: number): Violation {
    const wrong = `which row ${other} has for another person, and the course requires “${name}” to be unique`
    const plannedField = planned.get(name)
    const place = plannedField ? placeOfColumn(plannedField, row) : { row, column: name, field: name }
    return violation(place, value, { rule: 'unique', wrong, remedy: 'Correct the row that has the wrong value.' })
  }

  function noteShared(first: number, name: string, other: number): void {
    const byField = shared.get(first) ?? new Map<string, number>()
    if (!byField.has(name)) shared.set(first, byField.set(name, other))
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
          noteShared(first.row, name, row)
          return [notUnique(row, name, value, first.row)]
        }
        const other = known.get(first.row)?.get(name)
        return other === undefined ? [] : [notUnique(row, name, value, other)]
      })
    },
  }
}
