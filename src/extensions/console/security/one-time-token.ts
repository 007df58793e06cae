// Random tokens for sessions and links. The ledger stores only their hashes.

import { createHash, randomBytes } from 'node:crypto'

export interface OneTimeToken {
  text: string
  hash: Buffer
}

export function makeToken(): OneTimeToken {
  const text = randomBytes(32).toString('base64url')
  return { text, hash: hashOfToken(text) }
}

export const hashOfToken = (text: string): Buffer => createHash('sha256').update(text).digest()
