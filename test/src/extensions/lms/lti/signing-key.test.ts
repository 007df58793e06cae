// The tool's key pair: only a suitable key signs, and the published key verifies the signature.

import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { createLocalJWKSet, jwtVerify } from 'jose'
import { describe, expect, test } from 'vitest'
import { signAssertion } from '#src/extensions/lms/lti/assertion.ts'
import { isSigningKey, jwks, readPrivateKey } from '#src/extensions/lms/lti/signing-key.ts'
import { toolKey, toolPublicKey } from './lti-platform.ts'

const now = new Date('2026-03-01T12:00:00Z')
const publicKey = createPublicKey(toolPublicKey)
const signer = { clientId: 'tool', audience: 'aud', key: readPrivateKey(toolKey) }

describe('the key set', () => {
  test('verifies a signature, and has its key id', async () => {
    const set = await jwks(toolPublicKey)
    const { payload, protectedHeader } = await jwtVerify(await signAssertion(signer, now), createLocalJWKSet(set), {
      currentDate: now,
    })
    expect(payload).toMatchObject({ iss: 'tool', sub: 'tool', aud: 'aud', iat: 1_772_366_400, exp: 1_772_366_700 })
    expect(protectedHeader.kid).toBe(set.keys[0]?.kid)
  })

  test('contains nothing of the private key, even if it is passed in by mistake', async () => {
    const set = await jwks(toolKey.reveal())
    expect(Object.keys(set.keys[0] ?? {}).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use'])
    expect(set).toEqual(await jwks(toolPublicKey))
  })
})

describe('the private key', () => {
  const pem = (key: { export(options: { type: 'pkcs8'; format: 'pem' }): string | Buffer }) =>
    key.export({ type: 'pkcs8', format: 'pem' }).toString()

  test.each([
    ['too short', pem(generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey)],
    ['of another kind', pem(generateKeyPairSync('ed25519').privateKey)],
    ['empty', ''],
    ['damaged', '-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----'],
  ])('is refused when it is %s', (_, text) => {
    expect(isSigningKey(text)).toBe(false)
    expect(isSigningKey(toolKey.reveal())).toBe(true)
  })
})

describe('the assertion', () => {
  test('has a new id each time', async () => {
    const ids = new Set<unknown>()
    for (let i = 0; i < 5; i++) {
      const { payload } = await jwtVerify(await signAssertion(signer, now), publicKey, { currentDate: now })
      ids.add(payload.jti)
    }
    expect(ids.size).toBe(5)
  })
})
