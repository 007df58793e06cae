// Decides which records belong to a person who is to be forgotten. An address alone is not enough, because a family or an
// office may share it: the name must agree as well, or the fields by which one pipeline identifies people. Pure.

import { identifiersOf, nameIn, valuesInCells } from './erased-person.ts'
import { foldedText } from './folded-text.ts'
import { normalizeText } from './identity-hasher.ts'
import type { OwnFields } from './own-fields.ts'
import type { PersonComparison } from './same-person.ts'

/** What is compared of an issuance. */
export interface PersonRecord {
  id: number
  /** Normalized addresses, numbers and other values that identify the person. */
  identifiers: readonly string[]
  /** Folded; empty if the record has no name. */
  name: string
  /** The pipeline and course: another pipeline may number its people as well. */
  source: string
  /** Hash of the identity, in hex. */
  identityHash: string
  /** The values of the identity fields, if the pipeline names any. Null if it names none, or the record lacks one. */
  identity: Readonly<Record<string, string>> | null
  /** Issuances that it corrects, or that correct it. */
  linked: readonly number[]
}

/** `unsure`: something agrees, but it may be somebody else. */
export type Likeness = 'same' | 'unsure' | 'other'

export function recordOf(
  issuance: {
    id: number
    source: string
    identityHash: string
    recipient: Readonly<Record<string, string>>
    linked: readonly number[]
  },
  comparison: PersonComparison,
): PersonRecord {
  const { recipient, ...keys } = issuance
  const { identity, nameFields } = comparison
  const isComplete = identity.length > 0 && identity.every((field) => recipient[field])
  return {
    ...keys,
    identifiers: identifiersOf(recipient, comparison),
    name: nameIn(recipient, nameFields),
    identity: isComplete
      ? Object.fromEntries(identity.map((field) => [field, normalizeText(recipient[field] ?? '').toLowerCase()]))
      : null,
  }
}

/** Whether the record belongs to the person of the others. */
export function verdictOn(record: PersonRecord, person: readonly PersonRecord[]): Likeness {
  const identities = person.map((known) => compareIdentity(known, record))
  if (identities.includes('same')) return 'same'
  const contacts = person.map((known) => compareContact(known, record))
  // By the pipeline's rule it is somebody else. If the name and an address say otherwise, an operator has to look.
  if (identities.includes('other')) return contacts.includes('same') ? 'unsure' : 'other'
  if (contacts.includes('same')) return 'same'
  return contacts.includes('unsure') || identities.includes('unsure') ? 'unsure' : 'other'
}

/** Null if the two are not identified by the same fields. */
function compareIdentity(known: PersonRecord, record: PersonRecord): Likeness | null {
  if (known.id === record.id || known.linked.includes(record.id) || record.linked.includes(known.id)) return 'same'
  const isRuled = hasSameFields(known.identity, record.identity)
  if (known.identityHash !== record.identityHash) return isRuled ? 'other' : null
  // Two institutions may both have an employee 17. Without configured fields, the identity is an address or a number,
  // which several people may share.
  return (isRuled && known.source === record.source) || hasSameName(known, record) ? 'same' : 'unsure'
}

function compareContact(known: PersonRecord, record: PersonRecord): Likeness {
  if (!known.identifiers.some((value) => record.identifiers.includes(value))) return 'other'
  return hasSameName(known, record) ? 'same' : 'unsure'
}

/** Two records without a name do not agree in it. */
const hasSameName = (known: PersonRecord, record: PersonRecord) => known.name !== '' && known.name === record.name

function hasSameFields(one: PersonRecord['identity'], other: PersonRecord['identity']): boolean {
  return one !== null && other !== null && Object.keys(one).sort().join('|') === Object.keys(other).sort().join('|')
}

/**
 * Whether a row, which is invalid or not issued yet, is that of a person: the fields of the row say so. What another
 * column says may be of somebody else, such as the teacher, and makes it unsure.
 */
export function verdictOnRow(texts: readonly string[], own: OwnFields, person: readonly PersonRecord[]): Likeness {
  const isNamed = person.some(({ name }) => isNameInCells(own.names, name))
  if (isNamed && hasIdentifierIn(new Set(own.identifiers), person)) return 'same'
  return verdictOnCells(texts, person) === 'other' ? 'other' : 'unsure'
}

/**
 * Whether the texts of something that is about one person alone name a person: an identifier is in one of them, and all
 * parts of the name are. Without the name it is unsure.
 */
export function verdictOnCells(cells: readonly string[], person: readonly PersonRecord[]): Likeness {
  if (!hasIdentifierIn(new Set(valuesInCells(cells)), person)) return 'other'
  return person.some(({ name }) => isNameInCells(cells, name)) ? 'same' : 'unsure'
}

const hasIdentifierIn = (values: ReadonlySet<string>, person: readonly PersonRecord[]) =>
  person.some(({ identifiers }) => identifiers.some((value) => values.has(value)))

/** Whether all parts of a folded name are in the cells, or the whole name is in one. */
export function isNameInCells(cells: readonly string[], name: string): boolean {
  const texts = new Set(cells.map(foldedText))
  const whole = new Set([...texts].flatMap((text) => [text, text.split(' ').reverse().join(' ')]))
  return name !== '' && (name.split('|').every((part) => texts.has(part)) || whole.has(name.replaceAll('|', ' ')))
}
