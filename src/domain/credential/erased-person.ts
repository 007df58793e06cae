// Recognizes a person whose data were deleted, by keyed hashes: of every address, number and identity value, of the
// name, and of what makes a second credential legitimate. Pure.

import { keyWithRole, roleOfName } from '#src/domain/recipient/field-role.ts'
import { foldedText } from './folded-text.ts'
import { type Hasher, normalizePhone, normalizeText } from './identity-hasher.ts'
import { primaryField } from './person-hashes.ts'
import type { PersonComparison } from './same-person.ts'

type Recipient = Readonly<Record<string, string>>

/** What is kept of a person whose data are deleted. */
export interface PersonTraces {
  /** One for each address, number (with and without its dial code) and identity value. */
  identifiers: Buffer[]
  /** Null if the record has no name. */
  name: Buffer | null
  /** Null if the pipeline has no occurrence fields. */
  occurrence: Buffer | null
}

/** Computes the traces of a record, by the fields of its pipeline as they are configured now. */
export function tracesOf(recipient: Recipient, comparison: PersonComparison, hasher: Hasher): PersonTraces {
  const { occurrence, nameFields } = comparison
  const name = nameIn(recipient, nameFields)
  return {
    identifiers: identifiersOf(recipient, comparison).map((value) => hasher.identifier(value)),
    name: name === '' ? null : hasher.name(name),
    occurrence:
      occurrence.length === 0
        ? null
        : hasher.occurrence(Object.fromEntries(occurrence.map((field) => [field, recipient[field] ?? '']))),
  }
}

/**
 * The normalized values that identify the person of a record: every address and number, what the Primary Value names, and
 * the identity field if there is only one. Of several identity fields each may be shared by many people, as names and
 * dates of birth are.
 */
export function identifiersOf(recipient: Recipient, comparison: PersonComparison): string[] {
  const dial = normalizePhone(recipient[keyWithRole(Object.keys(recipient), 'dial code') ?? ''] ?? '')
  const fields = identifyingFields(recipient, comparison)
  return [...new Set(fields.flatMap((field) => identifiersIn(field, recipient[field] ?? '', dial)))]
}

/** The fields of a record that hold these values. */
export function identifyingFields(recipient: Recipient, { identity, nameFields }: PersonComparison): string[] {
  const [only = ''] = identity.length === 1 ? identity : []
  const fields = new Set([...(nameFields.includes(only) ? [] : [only]), primaryField(recipient)])
  for (const key of Object.keys(recipient)) if (['email', 'phone'].includes(roleOfName(key) ?? '')) fields.add(key)
  return [...fields]
}

/** The folded name of a record, without the separators of parts that are empty. Empty if the record has no name. */
export function nameIn(recipient: Recipient, nameFields: readonly string[]): string {
  return nameFields
    .map((field) => foldedText(recipient[field] ?? '').replaceAll('|', ''))
    .filter((part) => part !== '')
    .join('|')
}

function identifiersIn(field: string, value: string, dial: string): string[] {
  if (roleOfName(field) !== 'phone') return normalizeText(value) === '' ? [] : [normalizeText(value).toLowerCase()]
  const number = normalizePhone(value)
  return number === '' ? [] : [number, ...(dial === '' ? [] : [dial + number])]
}

/** The values of the cells that may be identifiers, normalized as those of a record. */
export function valuesInCells(cells: readonly string[]): string[] {
  const values = new Set<string>()
  for (const cell of cells) {
    const text = normalizeText(cell).toLowerCase()
    if (text !== '') values.add(text)
    const digits = normalizePhone(cell)
    if (digits.length >= fewestDigits && !cell.includes('@')) values.add(digits)
  }
  return [...values]
}
/** Shorter numbers are ages, scores and row numbers. */
const fewestDigits = 5

/**
 * Whether a name consists of one cell, or of two cells in any order. Compares each pair, so it is called only for rows
 * with a known identifier.
 */
export function hasNameInCells(cells: readonly string[], name: Buffer, hasher: Hasher): boolean {
  const filled = [...new Set(cells.map(foldedText))].filter((cell) => cell !== '')
  const isName = (...parts: string[]) => hasher.name(parts.join('|')).equals(name)
  return filled.some((first) => isName(first) || filled.some((second) => isName(first, second)))
}
