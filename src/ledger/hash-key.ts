// The key of all hashes of people. It is stored in the database, next to the hashes, or outside the database: then a
// dump alone does not reveal whether it contains an address. Pure.

import { createHmac } from 'node:crypto'

/** Its message says what to do. */
export class HashKeyError extends Error {
  override readonly name = 'HashKeyError'
}

/** The value by which a key is recognized without being stored. */
export const checkOfKey = (key: Buffer): Buffer => createHmac('sha256', key).update('the key of a ledger').digest()

/**
 * @param stored the key in the database, if it is there, and the value by which it is recognized
 * @param given the key outside the database, if the settings name one
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
