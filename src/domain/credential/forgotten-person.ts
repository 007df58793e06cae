// Recognizes a person whose data were deleted, by keyed hashes of every address, number and register number and of the
// name, and decides what that means for a row of a later list. Pure.

import { isPersonName, keyWithRole, nameFieldsOf, roleOfName } from '#src/domain/recipient/field-role.ts'
import { looseName } from '#src/domain/recipient/loose-name.ts'
import { type Hasher, normalizePhone, normalizeText } from './identity-hasher.ts'
import { primaryField } from './person-hashes.ts'
import { foldedText } from './person-index.ts'

type Recipient = Readonly<Record<string, string>>

/** What is kept of a record. */
export interface PersonTraces {
  /** One for each address, number (with and without its dial code) and value of a single identity field. */
  identifiers: Buffer[]
  /** Null if the record has no name. */
  name: Buffer | null
}

/** @param identity the pipeline's identity fields */
export function tracesOf(recipient: Recipient, identity: readonly string[], hasher: Hasher): PersonTraces {
  const name = foldedNameOf(recipient)
  return {
    identifiers: identifiersOf(recipient, identity).map((value) => hasher.identifier(value)),
    name: name === '' ? null : hasher.name(name),
  }
}

/**
 * Returns the normalized values that identify the person of a record: every address and number, what the Primary Value
 * names, and the identity field if there is only one. If there are several identity fields, many people may share the
 * value of each, such as a name or a date of birth.
 */
export function identifiersOf(recipient: Recipient, identity: readonly string[]): string[] {
  const keys = Object.keys(recipient)
  const dial = normalizePhone(recipient[keyWithRole(keys, 'dial code') ?? ''] ?? '')
  const [only, ...others] = identity
  const single = others.length === 0 && only ? keys.find((key) => looseName(key) === looseName(only)) : undefined
  const fields = new Set([primaryField(recipient), ...(single && !isName(single) ? [single] : [])])
  for (const key of keys) if (['email', 'phone'].includes(roleOfName(key) ?? '')) fields.add(key)
  return [...new Set([...fields].flatMap((field) => valuesOf(field, recipient[field] ?? '', dial)))]
}

const isName = (field: string) => isPersonName({ name: field, displayName: field })

function valuesOf(field: string, value: string, dial: string): string[] {
  if (roleOfName(field) !== 'phone') return normalizeText(value) === '' ? [] : [normalizeText(value).toLowerCase()]
  const number = normalizePhone(value)
  return number === '' ? [] : [number, ...(dial === '' ? [] : [dial + number])]
}

/** Returns the forms in which an address or a number that somebody typed may identify a record. */
export function identifiersInText(text: string): string[] {
  const digits = normalizePhone(text)
  const isNumber = digits.length >= fewestDigits && !text.includes('@')
  return [...new Set([normalizeText(text).toLowerCase(), ...(isNumber ? [digits] : [])])].filter((each) => each !== '')
}
/** Shorter numbers are ages, scores and row numbers. */
const fewestDigits = 5

/** The folded name of a record, without the separators of parts that are empty. Empty if the record has no name. */
export function foldedNameOf(recipient: Recipient): string {
  const fields = Object.keys(recipient).map((name) => ({ name, displayName: name }))
  return nameFieldsOf(fields)
    .map((field) => foldedText(recipient[field] ?? '').replaceAll('|', ''))
    .filter((part) => part !== '')
    .join('|')
}

/** The fields that tell people and occasions apart, as one string. */
export const ruleText = ({ identity, occurrence }: { identity: readonly string[]; occurrence: readonly string[] }) =>
  JSON.stringify([identity.toSorted(), occurrence.toSorted()])

/** What the ledger kept about somebody who was forgotten. */
export interface ForgottenPerson {
  /** Null for an invalid row or a completion, which led to no issuance. */
  issuance: number | null
  /** Whether the person asked for it, or the retention of their list ended. */
  kind: 'request' | 'retention'
  name: Buffer | null
  /** `ruleText` at that time; null if it was not known. */
  rule: string | null
}

export interface RowToRecognize {
  isValid: boolean
  name: Buffer | null
  /** The forgotten issuance whose key the row has. */
  keyOf: number | null
  /** `ruleText` of the pipeline now. */
  rule: string
  isCompletion: boolean
  /** Whether it is a completion that renews an earlier one, and so is meant to be a second credential. */
  isRenewal: boolean
}

/**
 * `forgotten`: the person of the record, who asked to be forgotten. `known`: the same person, whose retention ended.
 * `unclear`: the row has the key or an identifier of the person, but another name, so no credential may be issued.
 * `other`: someone else, or nothing to do.
 */
export type Recognition<Found extends ForgottenPerson = ForgottenPerson> =
  | { kind: 'other' }
  | { kind: 'forgotten' | 'known' | 'unclear'; as: Found }

/** @param matches the forgotten people of the course with the row's key or one of its identifiers */
export function recognizeForgotten<Found extends ForgottenPerson>(
  row: RowToRecognize,
  matches: readonly Found[],
): Recognition<Found> {
  const compared = matches.map((match) => ({ match, name: agreementOfNames(row, match) }))
  const asked = compared.filter(({ match }) => match.kind === 'request')
  const same = asked.find(({ name }) => name === 'same')
  if (same) return { kind: 'forgotten', as: same.match }
  // An invalid row leads to no credential, no matter who it is about.
  if (!row.isValid) {
    // If the row is a completion, everything about its learner is forgotten, so a shared address is not enough.
    const nameless = row.isCompletion ? undefined : asked.find(({ name }) => name === 'unknown')
    return nameless ? { kind: 'forgotten', as: nameless.match } : other
  }
  if (asked[0]) return { kind: 'unclear', as: asked[0].match }
  const own = compared.find(({ match }) => match.issuance !== null && match.issuance === row.keyOf)
  // The key of the row shows that its credential exists, as for any person who is known.
  if (own) return own.name === 'other' ? { kind: 'unclear', as: own.match } : other
  const unlike = compared.find(({ match, name }) => match.rule !== row.rule && name !== 'other')
  if (!unlike || row.isRenewal) return other
  return { kind: unlike.name === 'same' ? 'known' : 'unclear', as: unlike.match }
}

const other = { kind: 'other' } as const

/** An unknown name matches no one. If neither side has a name, the key of the credential decides. */
function agreementOfNames(row: RowToRecognize, { issuance, name }: ForgottenPerson): 'same' | 'other' | 'unknown' {
  if (row.name !== null && name !== null) return row.name.equals(name) ? 'same' : 'other'
  return row.name === name && issuance !== null && issuance === row.keyOf ? 'same' : 'unknown'
}

/**
 * Explains why a row that may be about somebody else is refused, and what to do.
 * @param row as commands name it: RUN:ROW
 * @param forgottenRow the forgotten row, if it led to no issuance
 */
export function whyUnclear(
  {
    issuance,
    kind,
    day,
    forgottenRow,
  }: Pick<ForgottenPerson, 'issuance' | 'kind'> & { day: string; forgottenRow: string | null },
  row: string,
): string {
  const since = issuance === null ? `on ${day}` : `on ${day} (i${issuance})`
  const who =
    kind === 'retention'
      ? `The data of somebody with the same address, number or identity expired ${since}`
      : `Somebody with the same address, number or identity was forgotten ${since}`
  const name = issuance === null ? forgottenRow : `i${issuance}`
  const release = name === null ? 'forget --release with the address or number of the row' : `forget ${name} --release`
  return [
    `${who}, and the row has another name. No credential was issued.`,
    'If it is another person, give them an address, number or identity of their own.',
    kind === 'retention'
      ? 'If it is the same person, remove the row, or write it as before.'
      : `If it is the forgotten person, run credsync forget ${row}: later lists that write it like this are skipped.`,
    `If the person of that record is to be issued again, run credsync ${release}, and then send the row again.`,
  ].join(' ')
}
