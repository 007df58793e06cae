// Finds one person under two identities where rows say by different fields who they are: one by the e-mail address, another by the contact
// number. The ledger takes them for two people, and the report would then show two requests that fit both.

import { DigestIndex, digestOf } from '#src/recipients/digest-index.ts'
import { keyWithRole } from '#src/recipients/field-role.ts'
import { foldedName } from './folded-text.ts'
import { normaliseMatch, normalisePhone, normaliseText } from './identity.ts'
import { primaryField } from './person.ts'

type Recipient = Readonly<Record<string, string>>

const nobody = [0, 0] as const

/**
 * Two records with the same name and the same address or number, by different Primary Values, are one person. By the same one they are two, and
 * were told apart by it: a father and a son at one office telephone. Only digests are kept.
 */
export class PersonIndex {
  readonly #nameFields: readonly string[]
  readonly #occurrence: readonly string[]
  readonly #seen = new DigestIndex()
  /** Names of the fields that say who, of which there are two or three. */
  readonly #primaries = new Set<string>()

  /**
   * @param nameFields display names of the fields for names
   * @param occurrence those of the fields that make a second credential for the same person legitimate
   */
  constructor(nameFields: readonly string[], occurrence: readonly string[] = []) {
    this.#nameFields = nameFields
    this.#occurrence = occurrence
  }

  /** Keeps a record under `number`, 0 to 2^32 - 2; of one person under one Primary Value the first. */
  add(number: number, recipient: Recipient): void {
    const primary = primaryField(recipient)
    this.#primaries.add(primary)
    for (const mark of this.#marksOf(recipient))
      this.#seen.keepFirst(digestOf(`${primary}|${mark}`), { row: number, owner: nobody })
  }

  /** The number of a record that is the same person by another Primary Value; null when there is none. */
  find(recipient: Recipient): number | null {
    const own = primaryField(recipient)
    const others = [...this.#primaries].filter((primary) => primary !== own)
    if (others.length === 0) return null
    for (const mark of this.#marksOf(recipient)) {
      for (const primary of others) {
        const found = this.#seen.first(digestOf(`${primary}|${mark}`))
        if (found) return found.row
      }
    }
    return null
  }

  /** By the address, and by the number with and without its dial code: another row may have it in one cell. */
  #marksOf(recipient: Recipient): string[] {
    const keys = Object.keys(recipient)
    const ofRole = (role: 'email' | 'phone' | 'dial code') => recipient[keyWithRole(keys, role) ?? ''] ?? ''
    const email = normaliseMatch('email', ofRole('email'))
    const number = normalisePhone(ofRole('phone'))
    const dial = normalisePhone(ofRole('dial code'))
    const numbers = number === '' ? [] : [number, ...(dial === '' ? [] : [dial + number])]
    const rest = [
      foldedName(this.#nameFields.map((field) => recipient[field] ?? '')),
      ...this.#occurrence.map((field) => normaliseText(recipient[field] ?? '')),
    ].join('|')
    return [...(email === '' ? [] : [`email|${email}|${rest}`]), ...numbers.map((digits) => `phone|${digits}|${rest}`)]
  }
}
