// The tool's RSA key pair: the private key signs assertions, and platforms fetch the public key. RS256 with 2048 bits
// or more, as the 1EdTech Security Framework 1.0 requires. Pure.

import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { calculateJwkThumbprint, type JWK } from 'jose'
import type { Secret } from '#src/platform/secret.ts'

export const notSigningKey =
  'is not an RSA private key in PEM format with at least 2048 bits; create one with: openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out lti.pem'

export function isSigningKey(pem: string): boolean {
  try {
    const { asymmetricKeyType, asymmetricKeyDetails } = createPrivateKey(pem)
    return asymmetricKeyType === 'rsa' && (asymmetricKeyDetails?.modulusLength ?? 0) >= 2048
  } catch {
    return false
  }
}

/** @param pem a key for which `isSigningKey` returns true */
export function readPrivateKey(pem: Secret): KeyObject {
  return createPrivateKey(pem.reveal())
}

/**
 * Returns the key set (RFC 7517) to serve at the URL from which a platform fetches the tool's keys. The id of a key is
 * its thumbprint (RFC 7638), here and in assertions.
 */
export async function jwks(publicKeyPem: string): Promise<{ keys: JWK[] }> {
  const key = createPublicKey(publicKeyPem)
  const { n, e } = key.export({ format: 'jwk' })
  return { keys: [{ kty: 'RSA', n, e, alg: 'RS256', use: 'sig', kid: await thumbprintOf(key) } as JWK] }
}

export function thumbprintOf(key: KeyObject): Promise<string> {
  const { n, e } = (key.type === 'private' ? createPublicKey(key) : key).export({ format: 'jwk' })
  return calculateJwkThumbprint({ kty: 'RSA', n, e } as JWK)
}
