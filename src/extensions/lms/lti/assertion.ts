// Signs the assertion that authenticates the tool when it requests a token: RFC 7523, and the 1EdTech Security
// Framework 1.0, 4.1. Makes no call.

import { type KeyObject, randomUUID } from 'node:crypto'
import { SignJWT } from 'jose'
import { thumbprintOf } from './signing-key.ts'

/** How long an assertion is valid: long enough to tolerate clocks that differ by a few minutes. */
const lifetimeSeconds = 300

export interface Signer {
  clientId: string
  /** `aud`: the URL of the token endpoint, unless the platform requires another audience (Brightspace does). */
  audience: string
  key: KeyObject
}

export async function signAssertion({ clientId, audience, key }: Signer, now: Date): Promise<string> {
  const seconds = Math.floor(now.getTime() / 1_000)
  return new SignJWT({
    iss: clientId,
    sub: clientId,
    aud: audience,
    iat: seconds,
    exp: seconds + lifetimeSeconds,
    jti: randomUUID(),
  })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid: await thumbprintOf(key) })
    .sign(key)
}
