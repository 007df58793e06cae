// What a row that led to no issuance says of its own person: the fields that identify people and name them. Its other
// columns may be about somebody else, such as a teacher or a guardian. Pure.

import { identifiersOf, identifyingFields, valuesInCells } from './erased-person.ts'
import type { PersonComparison } from './same-person.ts'

export interface OwnFields {
  /** What the fields that identify people hold, normalized. An address may be in the field of the number. */
  identifiers: readonly string[]
  /** The texts of the name fields. The first name may be in the field of the last name. */
  names: readonly string[]
}

/** @param values by display name, valid or not */
export function ownFieldsOf(values: Readonly<Record<string, string>>, comparison: PersonComparison): OwnFields {
  const textOf = (field: string) => values[field] ?? ''
  const texts = identifyingFields(values, comparison).map(textOf)
  return {
    identifiers: [...new Set([...identifiersOf(values, comparison), ...valuesInCells(texts)])],
    names: comparison.nameFields.map(textOf),
  }
}
