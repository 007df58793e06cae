// Signs the assertion that authenticates the tool when it requests a token: RFC 7523, and the 1EdTech Security
// Framework 1.0, 4.1. Makes no call.

import type { KeyObject } from 'node:crypto'
import { SignJWT } from 'jose'
import { thumbprintOf } from './signing-key.ts'

/** How long an assertion is valid: long enough to tolerate clocks that differ by a few minutes. */
const lifetimeSeconds = 300

export interface Signer {
  clientId: string
  /** `aud`: the URL of the token endpoint, unless the platform requires another audience (Brightspace does). */
  audience: string
  /** `iss`: the client id, unless the platform requires another. */
  issuer: string
  /** `kid`: the thumbprint of the key, unless the platform assigned another key id. */
  keyId?: string | undefined
  key: KeyObject
  /** In [0, 1). */
  random: () => number
}

export async function signAssertion(signer: Signer, now: Date): Promise<string> {
  const seconds = Math.floor(now.getTime() / 1_000)
  return new SignJWT({
    iss: signer.issuer,
    sub: signer.clientId,
    aud: signer.audience,
    iat: seconds,
    exp: seconds + lifetimeSeconds,
    jti: uniqueId(signer.random, now),
  })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid: signer.keyId ?? (await thumbprintOf(signer.key)) })
    .sign(signer.key)
}

/**
 * Returns an id for one assertion. It only has to be unique across calls and machines; the signature prevents forgery.
 */
function uniqueId(random: () => number, now: Date): string {
  const part = () => Math.floor(random() * 2 ** 32).toString(36)
  return [now.getTime().toString(36), part(), part(), part()].join('-')
}
