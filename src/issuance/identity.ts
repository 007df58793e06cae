// Who a recipient is: normalised values, and the keyed hashes by which the ledger knows a person without holding the person.
// Pure. Normalising is deliberately timid (marks that nobody sees, trim, NFC, case of an e-mail, digits of a phone): two people must never become one.

import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'
import { roleOfName } from '#src/recipients/field-role.ts'
import { withoutUnseen } from '#src/recipients/unseen-marks.ts'

/** The ways in which the report can be searched for a person, and what the value is. */
export type MatchKind = 'email' | 'phone' | 'reg_no' | 'uid' | 'unique_no' | 'cert_no' | 'membership_id'

export function normaliseText(value: string): string {
  return withoutUnseen(value).trim().normalize('NFC')
}

export function normaliseEmail(value: string): string {
  return normaliseText(value).toLowerCase()
}

/** Digits only, without leading zeros: `+49 (0)171` and `0171` differ by the dial code, which the caller adds where it has one. */
export function normalisePhone(value: string): string {
  return value.replace(/\D/g, '').replace(/^0+/, '')
}

export function normaliseMatch(kind: MatchKind, value: string): string {
  if (kind === 'email') return normaliseEmail(value)
  if (kind === 'phone') return normalisePhone(value)
  return normaliseText(value).toLowerCase()
}

export class Hasher {
  readonly #key: KeyObject
  constructor(key: Buffer) {
    // Made once: handing createHmac the bytes each time is four times slower.
    this.#key = createSecretKey(key)
  }

  /** A person as the report can show them. */
  match(kind: MatchKind, value: string): Buffer {
    return this.#hash('match', kind, normaliseMatch(kind, value))
  }

  /** A person as the pipeline defines them: the values of its identity fields, in the order of the field names. */
  identity(fields: Record<string, string>): Buffer {
    const parts = Object.keys(fields)
      .sort()
      .flatMap((name) => [
        name,
        roleOfName(name) === 'phone' ? normalisePhone(fields[name] ?? '') : normaliseEmail(fields[name] ?? ''),
      ])
    return this.#hash('identity', ...parts)
  }

  /** One credential: a person, a course, and the occasion where the pipeline names columns for it. */
  issuance(course: string, identity: Buffer, occurrence: Record<string, string>): Buffer {
    const parts = Object.keys(occurrence)
      .sort()
      .flatMap((name) => [name, normaliseText(occurrence[name] ?? '')])
    return this.#hash('issuance', course, identity.toString('hex'), ...parts)
  }

  /** Length-prefixed parts: `a|b` + `c` never hashes like `a` + `b|c`. */
  #hash(...parts: string[]): Buffer {
    let message = ''
    for (const part of parts) message += `${Buffer.byteLength(part)}:${part};`
    // One update, and the digest through a text: a Buffer that is made outside of JavaScript costs more than the hash that it holds.
    return Buffer.from(createHmac('sha256', this.#key).update(message).digest('binary'), 'binary')
  }
}
