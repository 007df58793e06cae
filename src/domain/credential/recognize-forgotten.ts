// Decides whether a row is about a person whose data were deleted. Two records are one person only if the pipeline's
// identity agrees, or an identifier and the name. Otherwise nothing is done to the row, or nobody is issued and the
// source is told. Pure.

import { hasNameInCells, type PersonTraces } from './erased-person.ts'
import type { Hasher } from './identity-hasher.ts'

/** What the ledger kept of an issuance whose person was forgotten. */
export interface ForgottenIssuance {
  id: number
  /** Whether the person asked for it, or the retention of their list ended. */
  kind: 'request' | 'retention'
  /** The fields by which the pipeline identified people then; empty for the field that the Primary Value names. */
  identityFields: readonly string[]
  identityHash: Buffer
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
 * `forgotten`: the person of the issuance, who asked to be forgotten. `known`: the same person, whose retention ended.
 * `unclear`: it cannot be decided who it is, so nobody may be issued. `other`: someone else, or nothing to do.
 */
export type Recognition = { kind: 'other' } | { kind: 'forgotten' | 'known' | 'unclear'; as: number }

const other: Recognition = { kind: 'other' }

/** @param matches the forgotten issuances of the course with the row's key or one of its identifiers */
export function recognizeForgotten(row: RowToRecognize, matches: readonly ForgottenIssuance[]): Recognition {
  const own = matches.find(({ id }) => id === row.keyOf)
  if (own) {
    if (agreementOfNames(row, own) === 'differ') return { kind: 'unclear', as: own.id }
    // A row of somebody whose retention ended is skipped by its key, as that of anybody who is known.
    return own.kind === 'request' ? { kind: 'forgotten', as: own.id } : other
  }
  if (row.isRenewal) return other
  const found = matches.map((each) => compareByIdentifier(row, each))
  for (const kind of ['forgotten', 'known', 'unclear'] as const) {
    const first = found.find((each) => each.kind === kind)
    if (first) return first
  }
  return other
}

/** The two share an address, a number or an identity value, under different keys. */
function compareByIdentifier(row: RowToRecognize, forgotten: ForgottenIssuance): Recognition {
  const occasions = agreementOfOccasions(row, forgotten)
  const identities = agreementOfIdentities(row, forgotten)
  if (occasions === 'differ' || identities === 'differ') return other
  const names = agreementOfNames(row, forgotten)
  // With the identity of the forgotten person, another name may be a misspelling, as in a row with the same key.
  if (names === 'differ' && identities !== 'agree') return other
  if (names !== 'agree' || occasions === 'unknown') return { kind: 'unclear', as: forgotten.id }
  return { kind: forgotten.kind === 'request' ? 'forgotten' : 'known', as: forgotten.id }
}

type Agreement = 'agree' | 'differ' | 'unknown'

/** By other fields, even another value may be the same occasion. Without any, each person gets one credential only. */
function agreementOfOccasions(row: RowToRecognize, forgotten: ForgottenIssuance): Agreement {
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
  forgotten: ForgottenIssuance,
): Agreement {
  if (identityHash?.equals(forgotten.identityHash)) return 'agree'
  if (identityHash === null || identityFields.length === 0) return 'unknown'
  return hasSameNames(identityFields, forgotten.identityFields) ? 'differ' : 'unknown'
}

function hasSameNames(some: readonly string[], others: readonly string[]): boolean {
  return some.toSorted().join('\n') === others.toSorted().join('\n')
}

function agreementOfNames({ traces: { name } }: RowToRecognize, { names }: ForgottenIssuance): Agreement {
  if (name === null || names.length === 0) return 'unknown'
  return names.some((each) => each.equals(name)) ? 'agree' : 'differ'
}

/** An invalid row, whose values may be in any cell. */
export interface InvalidRowToRecognize
  extends Pick<RowToRecognize, 'identityFields' | 'identityHash' | 'hasNameFields'> {
  cells: readonly string[]
}

/**
 * @param matches the forgotten issuances of the course with an identifier that is in one of the cells
 * @returns the issuance of the person who asked to be forgotten and whom the row names; null for anybody else
 */
export function recognizeInInvalidRow(
  row: InvalidRowToRecognize,
  matches: readonly ForgottenIssuance[],
  hasher: Hasher,
): number | null {
  const isNamed = ({ names }: ForgottenIssuance) => names.some((name) => hasNameInCells(row.cells, name, hasher))
  const found = matches.find(
    (each) =>
      each.kind === 'request' && agreementOfIdentities(row, each) !== 'differ' && (!row.hasNameFields || isNamed(each)),
  )
  return found?.id ?? null
}
