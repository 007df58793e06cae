// Finds two people with one value of a field that the service wants to be unique, within one file.

import { type ColumnPlan, placeOf } from './column-plan.ts'
import { DigestIndex, digestOf } from './digest-index.ts'
import type { Field } from './field.ts'
import { type Violation, violation } from './violation.ts'

export interface UniqueChecker {
  /**
   * Call once for each good row, in order. `identity` says who the row is about, as the ledger does. The row that has a value
   * first keeps it; a later row of somebody else is violated and named the earlier one. Later rows of the same identity are
   * duplicates, which are counted elsewhere, and no violation.
   */
  check(row: number, recipient: Readonly<Record<string, string>>, identity: string): Violation[]
}

/**
 * A checker for one file; `plan` gives violations their column's title instead of the field's name. Values are compared as
 * they are sent: whether the service minds case is not known. Only digests are kept, and only for as long as the checker is.
 */
export function uniqueWithinFile(fields: readonly Field[], plan: ColumnPlan = []): UniqueChecker {
  const unique = fields.filter((field) => field.unique).map((field) => ({ field, seen: new DigestIndex() }))
  const planned = new Map(plan.map((each) => [each.field.displayName, each]))
  return {
    check(row, recipient, identity) {
      if (unique.length === 0) return []
      const owner = digestOf(identity)
      return unique.flatMap(({ field, seen }) => {
        const name = field.displayName
        const value = recipient[name]
        if (value === undefined) return []
        const first = seen.keepFirst(digestOf(value), { row, owner })
        if (!first || (first.owner[0] === owner[0] && first.owner[1] === owner[1])) return []
        const wrong = `which row ${first.row} has already for somebody else, and the course wants “${name}” to be unique`
        const remedy = 'Correct the row that has the wrong value.'
        const from = planned.get(name)
        const place = from ? placeOf(from, row) : { row, column: name, field: name }
        return [violation(place, value, { rule: 'unique', wrong, remedy })]
      })
    },
  }
}
