// The tool's RSA key pair: the private key signs assertions, and platforms fetch the public key. RS256 with 2048 bits
// or more, as the 1EdTech Security Framework 1.0 requires. Pure.

import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { calculateJwkThumbprint, type JWK } from 'jose'
import type { Secret } from '#src/platform/secret.ts'

/** The key in the settings cannot be used. The message says what to do and contains no part of the key. */
export class LtiKeyError extends Error {
  override readonly name = 'LtiKeyError'

  constructor(problem: string) {
    super(
      `The key for LTI ${problem}. Create one with: openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out lti.pem`,
    )
  }
}

/** @throws LtiKeyError when the text is not an RSA private key in PEM format with at least 2048 bits */
export function readPrivateKey(pem: Secret): KeyObject {
  return checked(() => createPrivateKey(pem.reveal()), 'is not a private key in PEM format')
}

/**
 * Returns the key set (RFC 7517) to serve at the URL from which a platform fetches the tool's keys. `keyId` must be the
 * key id used for signing. Without it, signing and this key set both use the key's thumbprint (RFC 7638).
 * @throws LtiKeyError
 */
export async function jwks(publicKeyPem: string, keyId?: string): Promise<{ keys: JWK[] }> {
  const key = checked(() => createPublicKey(publicKeyPem), 'is not a public key in PEM format')
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
  if ((key.asymmetricKeyDetails?.modulusLength ?? 0) < 2048) throw new LtiKeyError('has fewer than 2048 bits')
  return key
}
