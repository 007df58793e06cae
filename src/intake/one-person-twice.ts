// One person under two identities within a file whose rows say by different fields who they are.

import { PersonIndex } from '#src/issuance/person-index.ts'
import type { Violation } from '#src/recipients/violation.ts'

export interface TwiceChecker {
  /** To be called once for each good row, in order. The first row of a person is taken; a later one by another Primary Value is violated. */
  check(row: number, recipient: Readonly<Record<string, string>>): Violation[]
}

/** @param nameFields display names of the fields for names */
export function onePersonTwice(nameFields: readonly string[]): TwiceChecker {
  const people = new PersonIndex(nameFields)
  return {
    check(row, recipient) {
      const first = people.find(recipient)
      people.add(row, recipient)
      return first === null ? [] : [twice(row, first)]
    },
  }
}

function twice(row: number, first: number): Violation {
  const sentence = `The row names the same person as row ${first}, by another Primary Value. Take one of the two rows out, or give both the same Primary Value.`
  return { row, column: '', field: 'Primary Value', rule: 'person_twice', value: '', sentence }
}
