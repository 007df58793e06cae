// Hashes passwords with scrypt, slowly and with much memory, so that a copy of the ledger does not reveal them. Only
// two at a time are computed, so that many sign-ins cannot take all memory and processor time of the worker.

import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { limitConcurrency } from '#src/platform/limits/limit-concurrency.ts'

export const minPasswordLength = 12
/** A longer one would only cost time. */
export const maxPasswordLength = 200

// 64 MB and about 0.2 s for each hash.
const cost = 2 ** 16
const blockSize = 8
const keyBytes = 32

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt)
const twoAtOnce = limitConcurrency(2)

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const key = await keyOf(password, salt, { N: cost, r: blockSize })
  return ['scrypt', cost, blockSize, salt.toString('base64url'), key.toString('base64url')].join('$')
}

/**
 * Whether the password has this hash. Takes as long without a hash, so that the time does not tell whether a person
 * exists.
 */
export async function isPassword(password: string, hash: string | null): Promise<boolean> {
  const [, N = cost, r = blockSize, salt = '', key = ''] = (hash ?? '').split('$')
  const found = await keyOf(password, Buffer.from(salt, 'base64url'), { N: Number(N), r: Number(r) })
  const known = Buffer.from(key, 'base64url')
  return known.length === found.length && timingSafeEqual(known, found)
}

function keyOf(password: string, salt: Buffer, { N, r }: { N: number; r: number }): Promise<Buffer> {
  // One way to write each letter, so that a password can be typed on any keyboard.
  const normal = password.normalize('NFKC').slice(0, maxPasswordLength)
  return twoAtOnce(() => derive(normal, salt, keyBytes, { N, r, p: 1, maxmem: 256 * N * r }))
}
