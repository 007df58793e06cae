// What is kept of an invalid row or a completion whose person is forgotten: the same hashes as of an issuance, as far as
// its values are valid, because a later list may have corrected ones. Pure.

import { identifiersOf, type PersonTraces, tracesOf, valuesInCells } from './erased-person.ts'
import type { Hasher } from './identity-hasher.ts'
import { identityOf, primaryField } from './person-hashes.ts'
import type { PersonComparison } from './same-person.ts'

/** A row as its pipeline reads it. */
export interface ReadRow {
  /** By display name, also those that are not valid. */
  values: Readonly<Record<string, string>>
  /** The fields that are not valid. */
  invalidFields: ReadonlySet<string>
}

export interface RowTraces extends PersonTraces {
  identityFields: readonly string[]
  /** Null if the row has no valid identity. */
  identity: Buffer | null
  /** Null if the row has no valid occasion, or the fields are not known. */
  occurrenceFields: readonly string[] | null
  /** Of all cells: an exact copy has the same. */
  whole: Buffer
}

/** How a row is read. */
export interface RowReading {
  /** Null if the columns of the row cannot be told. */
  read: ReadRow | null
  comparison: PersonComparison
  /** False if its pipeline is no longer configured: then the fields are guessed from the titles of the columns. */
  isConfigured: boolean
  /** How a learning system names the learner, which may be an address. */
  learner?: string | null
}

/**
 * The normalized values that identify the person of a row. If it is not known for certain what is in which column, also
 * addresses and long numbers of any cell.
 */
export function identifiersOfRow(cells: readonly string[], reading: RowReading): string[] {
  const { read, comparison, isConfigured, learner } = reading
  return [
    ...new Set([
      ...(read ? identifiersOf(read.values, comparison) : []),
      ...(read && isConfigured ? [] : contactsIn(cells)),
      ...addressesIn(learner ? [learner] : []),
    ]),
  ]
}

export function tracesOfRow(cells: readonly string[], reading: RowReading, hasher: Hasher): RowTraces {
  const { read, comparison, isConfigured } = reading
  const { identity, occurrence, nameFields } = comparison
  const { values, invalidFields } = read ?? { values: {}, invalidFields: new Set() }
  const areValid = (fields: readonly string[]) => !fields.some((field) => invalidFields.has(field))
  const traces = tracesOf(values, comparison, hasher)
  const hasOccasion = isConfigured && areValid(occurrence) && occurrence.every((field) => values[field])
  const hasIdentity = isConfigured && areValid(identity.length > 0 ? identity : [primaryField(values)])
  return {
    identifiers: identifiersOfRow(cells, reading).map((value) => hasher.identifier(value)),
    name: areValid(nameFields) ? traces.name : null,
    occurrence: hasOccasion ? traces.occurrence : null,
    identityFields: identity,
    identity: hasIdentity ? identityOf(values, { identity, occurrence, correlation: null }, hasher) : null,
    occurrenceFields: hasOccasion ? occurrence : null,
    whole: hasher.row(cells),
  }
}

/** The addresses among the texts, normalized. */
export const addressesIn = (cells: readonly string[]) => valuesInCells(cells.filter((cell) => cell.includes('@')))

/** Shorter numbers may be dates, or numbers of rooms. */
const fewestDigits = 9

function contactsIn(cells: readonly string[]): string[] {
  const numbers = valuesInCells(cells).filter((value) => /^\d+$/.test(value) && value.length >= fewestDigits)
  return [...addressesIn(cells), ...numbers]
}
