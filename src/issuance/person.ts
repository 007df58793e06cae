// From a checked recipient record to the hashes that identify the person and the credential. Pure.

import { keyWithRole, roleOfName } from '#src/recipients/field-role.ts'
import { looseName } from '#src/recipients/loose-name.ts'
import { type Hasher, type MatchKind, normalisePhone } from './identity.ts'

export interface IdentityRule {
  /** Display names of the fields that say who; empty = the recipient's primary value. */
  identity: readonly string[]
  /** Display names of the fields that make a second credential for the same person legitimate. */
  occurrence: readonly string[]
  /** A field whose value comes back in the report, and the report's name for it. */
  correlation: { field: string; kind: MatchKind } | null
}

export interface Identified {
  issuanceKey: Buffer
  identityHash: Buffer
  /** One for each way in which the report may show this person; any of them matches. */
  matchHashes: Buffer[]
}

/** A row that can be neither issued nor found again, because of one of its fields. */
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

/** The field that the record's Primary Value names, Email when it names none. */
export function primaryField(recipient: Recipient): string {
  const keys = Object.keys(recipient)
  const says = keyWithRole(keys, 'primary value')
  const named = says && recipient[says]
  if (!named) return 'Email'
  return keys.find((key) => key !== says && looseName(key) === looseName(named)) ?? named
}

/** No field of a course is called so: fields have names that people can type. */
const occasionField = '\u0000occasion'

/**
 * @param occasion makes a second credential legitimate beside what the fields of the rule say
 * @throws IdentityError when the fields that say who are empty: such a row can be neither issued nor found again.
 */
export function identify(
  recipient: Recipient,
  course: string,
  rule: IdentityRule,
  hasher: Hasher,
  occasion?: Date,
): Identified {
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

/** Whom a record names, as `identify` would say; null when the fields that say who do not. */
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
        `The field ${field} says who the recipient is, and it is empty. Fill it in the source and issue the row again.`,
      )
    refuseWithoutDigits(field, value)
    picked[field] = value
  }
  return picked
}

function matchHashes(recipient: Recipient, primary: string, rule: IdentityRule, hasher: Hasher): Buffer[] {
  const sought = rule.correlation && recipient[rule.correlation.field]
  if (rule.correlation && sought) return [hasher.match(rule.correlation.kind, sought)]
  const value = recipient[primary]
  if (!value)
    throw new IdentityError(
      primary,
      `Primary Value names ${primary}, and that field is empty. Fill it in the source and issue the row again.`,
    )
  if (roleOfName(primary) === 'phone') {
    refuseWithoutDigits(primary, value)
    // Whether the report shows a number with its dial code is not documented, so both forms are sought.
    const dial = normalisePhone(recipient[keyWithRole(Object.keys(recipient), 'dial code') ?? ''] ?? '')
    const number = normalisePhone(value)
    return [number, ...(dial ? [dial + number] : [])].map((digits) => hasher.match('phone', digits))
  }
  return [hasher.match('email', value)]
}

/** Numbers are compared by their digits: all the people whose number is a dash, or a word, would be one. */
function refuseWithoutDigits(field: string, value: string): void {
  if (roleOfName(field) !== 'phone' || normalisePhone(value) !== '') return
  throw new IdentityError(
    field,
    `The field ${field} says who the recipient is, and no number is in it. Fill it in the source and issue the row again.`,
  )
}
