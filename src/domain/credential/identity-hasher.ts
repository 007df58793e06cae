// Normalizes values that identify a recipient, and computes the keyed hashes by which the ledger recognizes a person
// without storing personal data. Normalizing is deliberately cautious (invisible characters, trim, NFC, case of an
// e-mail address, digits of a phone number), because two people must never become one. Pure.

import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'
import { roleOfName } from '#src/domain/recipient/field-role.ts'
import { withoutInvisible } from '#src/domain/recipient/invisible-characters.ts'

/** The keys by which the report can be searched for a person. */
export type MatchKind = 'email' | 'phone' | 'reg_no' | 'uid' | 'unique_no' | 'cert_no' | 'membership_id'

export function normalizeText(value: string): string {
  return withoutInvisible(value).trim().normalize('NFC')
}

export function normalizeEmail(value: string): string {
  return normalizeText(value).toLowerCase()
}

/**
 * Keeps only the digits, without leading zeros. `+49 (0)171` and `0171` still differ by the dial code, which the caller
 * adds if there is one.
 */
export function normalizePhone(value: string): string {
  return value.replace(/\D/g, '').replace(/^0+/, '')
}

export function normalizeMatch(kind: MatchKind, value: string): string {
  return kind === 'phone' ? normalizePhone(value) : normalizeEmail(value)
}

export class Hasher {
  readonly #key: KeyObject
  constructor(key: Buffer) {
    // The key object is created once, because passing the raw bytes to createHmac each time is four times slower.
    this.#key = createSecretKey(key)
  }

  /** Hashes a person by a value that the report can show. */
  match(kind: MatchKind, value: string): Buffer {
    return this.#hash('match', kind, normalizeMatch(kind, value))
  }

  /**
   * Hashes a person by the values of the pipeline's identity fields, in the order of the field names.
   */
  identity(fields: Record<string, string>): Buffer {
    const parts = Object.keys(fields)
      .sort()
      .flatMap((name) => [
        name,
        roleOfName(name) === 'phone' ? normalizePhone(fields[name] ?? '') : normalizeEmail(fields[name] ?? ''),
      ])
    return this.#hash('identity', ...parts)
  }

  /**
   * Hashes a value that identifies a person, without the name of its field: a forgotten person is recognized by it
   * wherever it appears.
   */
  identifier(value: string): Buffer {
    return this.#hash('identifier', normalizeEmail(value))
  }

  /** Hashes a name that has been folded already. */
  name(folded: string): Buffer {
    return this.#hash('name', folded)
  }

  /** Hashes all cells of a row, to recognize an exact copy. */
  row(cells: readonly string[]): Buffer {
    return this.#hash('row', ...cells.map(normalizeText))
  }

  /** Hashes the values that make a second credential for the same person legitimate. */
  occurrence(fields: Record<string, string>): Buffer {
    const parts = Object.keys(fields)
      .sort()
      .flatMap((name) => [name, normalizeText(fields[name] ?? '')])
    return this.#hash('occurrence', ...parts)
  }

  /** Hashes one credential: a person, a course and, if the pipeline has occurrence columns, the occasion. */
  issuance(course: string, identity: Buffer, occurrence: Record<string, string>): Buffer {
    const parts = Object.keys(occurrence)
      .sort()
      .flatMap((name) => [name, normalizeText(occurrence[name] ?? '')])
    return this.#hash('issuance', course, identity.toString('hex'), ...parts)
  }

  /** Prefixes each part with its length, so that `a|b` + `c` never hashes like `a` + `b|c`. */
  #hash(...parts: string[]): Buffer {
    let message = ''
    for (const part of parts) message += `${Buffer.byteLength(part)}:${part};`
    // Uses a single update and a digest as a string, for speed: a Buffer allocated outside JavaScript costs more than
    // the hash itself.
    return Buffer.from(createHmac('sha256', this.#key).update(message).digest('binary'), 'binary')
  }
}
