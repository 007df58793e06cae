// Compares secrets in constant time. Pure.

import { createHash, timingSafeEqual } from 'node:crypto'

const digest = (value: string | Buffer) => createHash('sha256').update(value).digest()

/**
 * True when `given` is one of `known`. The time does not depend on which one matches, and hashing hides the lengths of
 * the secrets.
 */
export function isKnownSecret(given: string | Buffer, known: readonly (string | Buffer)[]): boolean {
  const givenDigest = digest(given)
  return known.map((entry) => timingSafeEqual(digest(entry), givenDigest)).includes(true)
}
