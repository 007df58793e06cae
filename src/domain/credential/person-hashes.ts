// Computes, from a checked recipient record, the hashes that identify the person and the credential. Pure.

import { keyWithRole, roleOfName } from '#src/domain/recipient/field-role.ts'
import { looseName } from '#src/domain/recipient/loose-name.ts'
import { type Hasher, type MatchKind, normalizePhone } from './identity-hasher.ts'

export interface IdentityRule {
  /** Display names of the fields that identify a person; if empty, the field that the Primary Value names. */
  identity: readonly string[]
  /** Display names of the fields that make a second credential for the same person legitimate. */
  occurrence: readonly string[]
  /** A field whose value the report shows again, and the report's name for it. */
  correlation: { field: string; kind: MatchKind } | null
}

export interface PersonHashes {
  issuanceKey: Buffer
  identityHash: Buffer
  /** One hash for each value under which the report may show this person; a match of any of them is enough. */
  matchHashes: Buffer[]
}

/** Thrown for a row that can be neither issued nor found again, because of one of its fields. */
export class IdentityError extends Error {
  override readonly name = 'IdentityError'
  /** The display name of the field. */
  readonly field: string
  constructor(field: string, sentence: string) {
    super(sentence)
    this.field = field
  }
}

type Recipient = Readonly<Record<string, string>>

/** @returns the field that the record's Primary Value names, or Email if it names none */
export function primaryField(recipient: Recipient): string {
  const keys = Object.keys(recipient)
  const primaryKey = keyWithRole(keys, 'primary value')
  const named = primaryKey && recipient[primaryKey]
  if (!named) return 'Email'
  return keys.find((key) => key !== primaryKey && looseName(key) === looseName(named)) ?? named
}

/** The name of a part of the hash that is not a field. The NUL keeps it apart from field names, which people type. */
const occasionField = '\u0000occasion'

/**
 * Computes the hashes of a record.
 * @param occasion makes a second credential legitimate, in addition to the rule's occurrence fields
 * @throws IdentityError when an identity field is empty: such a row can be neither issued nor found again
 */
export function identify(
  recipient: Recipient,
  course: string,
  rule: IdentityRule,
  hasher: Hasher,
  occasion?: Date,
): PersonHashes {
  const primary = primaryField(recipient)
  const fields = rule.identity.length > 0 ? rule.identity : [primary]
  const identityHash = hasher.identity(pick(recipient, fields))
  const occurrence = pick(recipient, rule.occurrence)
  const issuanceKey = hasher.issuance(
    course,
    identityHash,
    occasion ? { ...occurrence, [occasionField]: occasion.toISOString() } : occurrence,
  )
  return { issuanceKey, identityHash, matchHashes: matchHashes(recipient, primary, rule, hasher) }
}

/** Hashes the person of a record, as `identify` does; null if an identity field is empty. */
export function identityOf(recipient: Recipient, rule: IdentityRule, hasher: Hasher): Buffer | null {
  try {
    return hasher.identity(pick(recipient, rule.identity.length > 0 ? rule.identity : [primaryField(recipient)]))
  } catch (error) {
    if (error instanceof IdentityError) return null
    throw error
  }
}

function pick(recipient: Recipient, fields: readonly string[]): Record<string, string> {
  const picked: Record<string, string> = Object.create(null)
  for (const field of fields) {
    const value = recipient[field]
    if (!value)
      throw new IdentityError(
        field,
        `The field ${field} identifies the recipient, and it is empty. Fill it in the source and issue the row again.`,
      )
    refuseWithoutDigits(field, value)
    picked[field] = value
  }
  return picked
}

function matchHashes(recipient: Recipient, primary: string, rule: IdentityRule, hasher: Hasher): Buffer[] {
  const correlated = rule.correlation && recipient[rule.correlation.field]
  if (rule.correlation && correlated) return [hasher.match(rule.correlation.kind, correlated)]
  const value = recipient[primary]
  if (!value)
    throw new IdentityError(
      primary,
      `Primary Value names the field ${primary}, and that field is empty. Fill it in the source and issue the row again.`,
    )
  if (roleOfName(primary) === 'phone') {
    refuseWithoutDigits(primary, value)
    // It is not documented whether the report shows a number with its dial code, so both forms match.
    const dial = normalizePhone(recipient[keyWithRole(Object.keys(recipient), 'dial code') ?? ''] ?? '')
    const number = normalizePhone(value)
    return [number, ...(dial ? [dial + number] : [])].map((digits) => hasher.match('phone', digits))
  }
  return [hasher.match('email', value)]
}

/** Numbers are compared by their digits, so everyone whose number is a dash or a word would become one person. */
function refuseWithoutDigits(field: string, value: string): void {
  if (roleOfName(field) !== 'phone' || normalizePhone(value) !== '') return
  throw new IdentityError(
    field,
    `The field ${field} identifies the recipient, and it contains no digits. Correct it in the source and issue the row again.`,
  )
}
