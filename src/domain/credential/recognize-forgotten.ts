// Decides whether a row is about a person whose data were deleted. Two records are one person only if the pipeline's
// identity agrees, or an identifier and the name. Otherwise nothing is done to the row, or nobody is issued and the
// source is told. Pure.

import { hasNameInCells, type PersonTraces } from './erased-person.ts'
import type { Hasher } from './identity-hasher.ts'
import type { OwnFields } from './own-fields.ts'

/** What the ledger kept of somebody who was forgotten. */
export interface ForgottenRecord {
  /** Null for an invalid row or a completion, which led to no issuance. */
  issuance: number | null
  /** Whether the person asked for it, or the retention of their list ended. */
  kind: 'request' | 'retention'
  /** The fields by which the pipeline identified people then; empty for the field that the Primary Value names. */
  identityFields: readonly string[]
  /** Null if the record showed no valid identity. */
  identityHash: Buffer | null
  /** Hashes of its name, and of the names of the issuances that it corrects. Empty if there was no name. */
  names: readonly Buffer[]
  /** The fields that told occasions apart then. Null if that is not known. */
  occurrenceFields: readonly string[] | null
  /** Null if there were no occurrence fields. */
  occurrence: Buffer | null
}

/** A valid row, compared by the fields of its pipeline as they are configured now. */
export interface RowToRecognize {
  traces: PersonTraces
  identityFields: readonly string[]
  occurrenceFields: readonly string[]
  identityHash: Buffer | null
  hasNameFields: boolean
  /** Whether the row has the key of one of the forgotten issuances, and of which. */
  keyOf: number | null
  /** Whether it is a completion that renews an earlier one, and so is meant to be a second credential. */
  isRenewal: boolean
}

/**
 * `forgotten`: the person of the record, who asked to be forgotten. `known`: the same person, whose retention ended.
 * `unclear`: it cannot be decided who it is, so nobody may be issued. `other`: someone else, or nothing to do.
 */
export type Recognition<Found extends ForgottenRecord = ForgottenRecord> =
  | { kind: 'other' }
  | { kind: 'forgotten' | 'known' | 'unclear'; as: Found }

const other = { kind: 'other' } as const

/** @param matches the forgotten records of the course with the row's key, its identity or one of its identifiers */
export function recognizeForgotten<Found extends ForgottenRecord>(
  row: RowToRecognize,
  matches: readonly Found[],
): Recognition<Found> {
  const own = row.keyOf === null ? undefined : matches.find(({ issuance }) => issuance === row.keyOf)
  // A row of somebody whose retention ended is skipped by its key, as that of anybody who is known.
  if (own && agreementOfNames(row, own) !== 'differ')
    return own.kind === 'request' ? { kind: 'forgotten', as: own } : other
  if (row.isRenewal && !own) return other
  const found = matches.map((each) => compareByIdentifier(row, each))
  const first = (kind: Recognition<Found>['kind']) => found.find((each) => each.kind === kind)
  // Somebody else at the address may have been forgotten as well, or a row with this spelling of the name.
  if (own) return first('forgotten') ?? { kind: 'unclear', as: own }
  return first('forgotten') ?? first('known') ?? first('unclear') ?? other
}

/** The two share an address, a number or an identity value, under different keys. */
function compareByIdentifier<Found extends ForgottenRecord>(row: RowToRecognize, forgotten: Found): Recognition<Found> {
  const occasions = agreementOfOccasions(row, forgotten)
  const identities = agreementOfIdentities(row, forgotten)
  if (occasions === 'differ' || identities === 'differ') return other
  const names = agreementOfNames(row, forgotten)
  // With the identity of somebody who was issued, another name may be a misspelling, as in a row with the same key.
  if (names === 'differ' && (identities !== 'agree' || forgotten.issuance === null)) return other
  if (names !== 'agree' || occasions === 'unknown') return { kind: 'unclear', as: forgotten }
  return { kind: forgotten.kind === 'request' ? 'forgotten' : 'known', as: forgotten }
}

type Agreement = 'agree' | 'differ' | 'unknown'

/** By other fields, even another value may be the same occasion. Without any, each person gets one credential only. */
function agreementOfOccasions(row: RowToRecognize, forgotten: ForgottenRecord): Agreement {
  const [then, now] = [forgotten.occurrence, row.traces.occurrence]
  if (then === null && now === null) return 'agree'
  if (then && now?.equals(then)) return 'agree'
  return forgotten.occurrenceFields && hasSameNames(forgotten.occurrenceFields, row.occurrenceFields)
    ? 'differ'
    : 'unknown'
}

/** If they have different values by the same rule, they are a father and a son at one address. */
function agreementOfIdentities(
  { identityFields, identityHash }: Pick<RowToRecognize, 'identityFields' | 'identityHash'>,
  forgotten: ForgottenRecord,
): Agreement {
  if (identityHash === null || forgotten.identityHash === null) return 'unknown'
  if (identityHash.equals(forgotten.identityHash)) return 'agree'
  return identityFields.length > 0 && hasSameNames(identityFields, forgotten.identityFields) ? 'differ' : 'unknown'
}

function hasSameNames(some: readonly string[], others: readonly string[]): boolean {
  return some.toSorted().join('\n') === others.toSorted().join('\n')
}

function agreementOfNames({ traces: { name } }: RowToRecognize, { names }: ForgottenRecord): Agreement {
  if (name === null || names.length === 0) return 'unknown'
  return names.some((each) => each.equals(name)) ? 'agree' : 'differ'
}

/** An invalid row, of which only the fields about its own person count. */
export interface InvalidRowToRecognize
  extends Pick<RowToRecognize, 'identityFields' | 'identityHash' | 'hasNameFields'>,
    Pick<OwnFields, 'names'> {}

/**
 * @param matches the forgotten records of the course with one of the identifiers of the row
 * @returns the record of the person who asked to be forgotten and whom the row names; null for anybody else
 */
export function recognizeInInvalidRow<Found extends ForgottenRecord>(
  row: InvalidRowToRecognize,
  matches: readonly Found[],
  hasher: Hasher,
): Found | null {
  const isNamed = ({ names }: Found) => names.some((name) => hasNameInCells(row.names, name, hasher))
  const found = matches.find(
    (each) =>
      each.kind === 'request' && agreementOfIdentities(row, each) !== 'differ' && (!row.hasNameFields || isNamed(each)),
  )
  return found ?? null
}
