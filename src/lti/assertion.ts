// The signed sentence by which the tool says who it is when it asks for a token: RFC 7523, and the 1EdTech Security Framework 1.0, 4.1.

import type { KeyObject } from 'node:crypto'
import { SignJWT } from 'jose'
import { thumbprintOf } from './signing-key.ts'

/** How long one is good for. Long enough for two clocks that differ by some minutes. */
const lifeSeconds = 300

export interface Signer {
  clientId: string
  /** `aud`: the address of the token endpoint, unless the platform names another (Brightspace does). */
  audience: string
  /** `iss`: the client id, unless the platform wants another. */
  issuer?: string
  /** `kid`: the thumbprint of the key, unless the platform knows it by another. */
  keyId?: string
  key: KeyObject
  /** In [0, 1). */
  random: () => number
}

export async function signAssertion(signer: Signer, now: Date): Promise<string> {
  const seconds = Math.floor(now.getTime() / 1_000)
  return new SignJWT({
    iss: signer.issuer ?? signer.clientId,
    sub: signer.clientId,
    aud: signer.audience,
    iat: seconds,
    exp: seconds + lifeSeconds,
    jti: neverUsed(signer.random, now),
  })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid: signer.keyId ?? (await thumbprintOf(signer.key)) })
    .sign(signer.key)
}

/** The signature makes it hard to forge; this only has to be another one each time, on every machine. */
function neverUsed(random: () => number, now: Date): string {
  const part = () => Math.floor(random() * 2 ** 32).toString(36)
  return [now.getTime().toString(36), part(), part(), part()].join('-')
}
