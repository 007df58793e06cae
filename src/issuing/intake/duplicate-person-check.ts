// Detects people who appear twice under different identities, in a file whose rows identify people by different fields.
// In memory only.

import { PersonIndex } from '#src/domain/credential/person-index.ts'
import { type RowOrigin, remedyOfRule } from '#src/domain/recipient/remedy-of-rule.ts'
import type { Violation } from '#src/domain/recipient/violation.ts'

export interface DuplicatePersonCheck {
  /**
   * Must be called once for each valid row, in order. The first row of a person is accepted; a later row of the same
   * person with a different Primary Value is a violation.
   * @returns the violation, or an empty array
   */
  check(row: number, recipient: Readonly<Record<string, string>>): Violation[]
}

/** @param nameFields the display names of the name fields */
export function openDuplicatePersonCheck(
  nameFields: readonly string[],
  origin: RowOrigin = 'file',
): DuplicatePersonCheck {
  const people = new PersonIndex(nameFields)
  return {
    check(row, recipient) {
      const first = people.find(recipient)
      people.add(row, recipient)
      return first === null ? [] : [duplicateViolation(row, first, origin)]
    },
  }
}

function duplicateViolation(row: number, first: number, origin: RowOrigin): Violation {
  const remedy =
    origin === 'file'
      ? 'Remove one of the two rows, or give both the same Primary Value.'
      : remedyOfRule('person_twice', '', origin)
  const sentence = `The row names the same person as row ${first}, but with a different Primary Value. ${remedy}`
  return { row, column: '', field: 'Primary Value', rule: 'person_twice', value: '', sentence }
}
