// The tool's key pair: signs as it, and shows its public half to platforms that fetch it. RS256 with 2048 bits or more, as the 1EdTech
// Security Framework 1.0 wants.

import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { calculateJwkThumbprint, type JWK } from 'jose'
import type { Secret } from '#src/secret/secret.ts'

/** The key in the settings is none that can be used. The message says what to do, and repeats nothing of the key. */
export class LtiKeyError extends Error {
  override readonly name = 'LtiKeyError'

  constructor(problem: string) {
    super(
      `The key for LTI ${problem}. Make one with: openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out lti.pem`,
    )
  }
}

/** Throws LtiKeyError when the text is no RSA private key in PEM of at least 2048 bits. */
export function readPrivateKey(pem: Secret): KeyObject {
  return checked(() => createPrivateKey(pem.reveal()), 'is no private key in PEM')
}

/**
 * The key set (RFC 7517) to serve at the address that a platform fetches the tool's keys from. `keyId` must be what signs too; without it
 * both use the key's thumbprint (RFC 7638). Throws LtiKeyError.
 */
export async function jwks(publicKeyPem: string, keyId?: string): Promise<{ keys: JWK[] }> {
  const key = checked(() => createPublicKey(publicKeyPem), 'is no public key in PEM')
  const { n, e } = key.export({ format: 'jwk' })
  return { keys: [{ kty: 'RSA', n, e, alg: 'RS256', use: 'sig', kid: keyId ?? (await thumbprintOf(key)) } as JWK] }
}

export function thumbprintOf(key: KeyObject): Promise<string> {
  const { n, e } = (key.type === 'private' ? createPublicKey(key) : key).export({ format: 'jwk' })
  return calculateJwkThumbprint({ kty: 'RSA', n, e } as JWK)
}

function checked(read: () => KeyObject, problem: string): KeyObject {
  let key: KeyObject
  try {
    key = read()
  } catch {
    throw new LtiKeyError(problem)
  }
  if (key.asymmetricKeyType !== 'rsa') throw new LtiKeyError('is not an RSA key')
  if ((key.asymmetricKeyDetails?.modulusLength ?? 0) < 2048) throw new LtiKeyError('has less than 2048 bits')
  return key
}
