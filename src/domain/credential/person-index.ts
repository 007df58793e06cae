// Finds people who appear under two identities because rows use different fields as Primary Value, and folds text so
// that what looks the same to a person is equal.

import { DigestIndex, digestOf } from '#src/domain/recipient/digest-index.ts'
import { keyWithRole } from '#src/domain/recipient/field-role.ts'
import { withoutInvisible } from '#src/domain/recipient/invisible-characters.ts'
import { normalizeMatch, normalizePhone, normalizeText } from './identity-hasher.ts'
import { primaryField } from './person-hashes.ts'

type Recipient = Readonly<Record<string, string>>

// The index is shared with checks that need an owner; here the key alone decides.
const noOwner = [0, 0] as const

/**
 * Treats two records with the same name and the same address or number, but different Primary Value fields, as one
 * person: one row names the e-mail address, another the contact number. The ledger would treat them as two people, and
 * the report would then show two requests that match both. With the same Primary Value field they are two people, such
 * as a father and a son who share an office telephone. Keeps only digests, in memory.
 */
export class PersonIndex {
  readonly #nameFields: readonly string[]
  readonly #occurrence: readonly string[]
  readonly #seen = new DigestIndex()
  /** The Primary Value fields found so far, usually two or three. */
  readonly #primaries = new Set<string>()

  /**
   * @param nameFields display names of the name fields
   * @param occurrence display names of the fields that make a second credential for the same person legitimate
   */
  constructor(nameFields: readonly string[], occurrence: readonly string[] = []) {
    this.#nameFields = nameFields
    this.#occurrence = occurrence
  }

  /**
   * Adds a record under `number`, which may be 0 to 2^32 - 2, because the index stores it in 32 bits. If a person
   * appears again with the same Primary Value field, the first record is kept.
   */
  add(number: number, recipient: Recipient): void {
    const primary = primaryField(recipient)
    this.#primaries.add(primary)
    for (const key of this.#keysOf(recipient))
      this.#seen.keepFirst(digestOf(`${primary}|${key}`), { row: number, owner: noOwner })
  }

  /** @returns the number of a record of the same person with a different Primary Value field, or null */
  find(recipient: Recipient): number | null {
    const ownPrimary = primaryField(recipient)
    const others = [...this.#primaries].filter((primary) => primary !== ownPrimary)
    if (others.length === 0) return null
    for (const key of this.#keysOf(recipient)) {
      for (const primary of others) {
        const found = this.#seen.get(digestOf(`${primary}|${key}`))
        if (found) return found.row
      }
    }
    return null
  }

  /**
   * Makes keys from the address, and from the number with and without its dial code, because another row may have the
   * number and the dial code in one cell.
   */
  #keysOf(recipient: Recipient): string[] {
    const keys = Object.keys(recipient)
    const valueWithRole = (role: 'email' | 'phone' | 'dial code') => recipient[keyWithRole(keys, role) ?? ''] ?? ''
    const email = normalizeMatch('email', valueWithRole('email'))
    const number = normalizePhone(valueWithRole('phone'))
    const dial = normalizePhone(valueWithRole('dial code'))
    const numbers = number === '' ? [] : [number, ...(dial === '' ? [] : [dial + number])]
    const suffix = [
      foldedName(this.#nameFields.map((field) => recipient[field] ?? '')),
      ...this.#occurrence.map((field) => normalizeText(recipient[field] ?? '')),
    ].join('|')
    return [
      ...(email === '' ? [] : [`email|${email}|${suffix}`]),
      ...numbers.map((digits) => `phone|${digits}|${suffix}`),
    ]
  }
}

/**
 * Removes differences of case, width, white space and invisible characters, so that strings that look the same to a
 * reader are equal. This is done here rather than in the database, because lowercasing there depends on the locale of
 * the cluster, which may cover only A to Z.
 */
export function foldedText(text: string): string {
  return withoutInvisible(text).normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim()
}

/** Folds the parts of a name and joins them with a separator, so that Ann Abell is not Anna Bell. */
export function foldedName(parts: readonly string[]): string {
  return parts.map(foldedText).join('|')
}
