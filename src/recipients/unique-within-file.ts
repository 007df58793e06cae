// Finds two people with one value of a field that the service wants to be unique, within one file.

import { hash } from 'node:crypto'
import type { ColumnPlan } from './column-plan.ts'
import { DigestIndex } from './digest-index.ts'
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
  const columns = new Map(
    plan.map(({ field, source }) => [field.displayName, source.kind === 'column' ? source.column : field.displayName]),
  )
  return {
    check(row, recipient, identity) {
      const owner = digest(identity)
      return unique.flatMap(({ field, seen }) => {
        const name = field.displayName
        const value = recipient[name]
        if (value === undefined) return []
        const first = seen.keepFirst(digest(value), { row, owner })
        if (!first || (first.owner[0] === owner[0] && first.owner[1] === owner[1])) return []
        const wrong = `which row ${first.row} has already for somebody else, and the course wants “${name}” to be unique`
        const remedy = 'Correct the row that has the wrong value.'
        return [
          violation({ row, column: columns.get(name) ?? name, field: name }, value, { rule: 'unique', wrong, remedy }),
        ]
      })
    },
  }
}

/** The first 64 bits of a SHA-256: enough to tell the values of one file apart, without keeping them. */
function digest(text: string): [number, number] {
  const bytes = hash('sha256', text, 'buffer')
  return [bytes.readUInt32BE(0), bytes.readUInt32BE(4)]
}
