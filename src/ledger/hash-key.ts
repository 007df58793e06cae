// Chooses the key with which people's identifiers are hashed. The key is stored either in the database, next to the
// hashes, or outside it. If it is outside, a dump alone does not reveal whether it contains a given address. Pure.

import { createHmac } from 'node:crypto'

/** Thrown if the key is missing or wrong. The message tells the operator how to correct that. */
export class HashKeyError extends Error {
  override readonly name = 'HashKeyError'
}

/** Returns the value by which a key can be verified without storing it. */
export const checkOfKey = (key: Buffer): Buffer => createHmac('sha256', key).update('the key of a ledger').digest()

/**
 * @param stored the key, if it is in the database, and the value by which a key is verified
 * @param given the key from outside the database, if the settings name one
 * @throws HashKeyError if there is no key, or a different one
 */
export function chooseHashKey(stored: { key: Buffer | null; check: Buffer }, given: Buffer | null): Buffer {
  const key = given ?? stored.key
  if (key === null)
    throw new HashKeyError(
      'The hash key of this ledger is outside its database. Set CREDSYNC_HASH_KEY_FILE to the path of the file that has it.',
    )
  if (!checkOfKey(key).equals(stored.check))
    throw new HashKeyError(
      'CREDSYNC_HASH_KEY_FILE has another key than the one with which this ledger was created, so nobody in the ledger would be recognized. Restore the file, or, if the key is still in the database, write it there (docs/privacy.md#what-a-dump-gives-away).',
    )
  return key
}
