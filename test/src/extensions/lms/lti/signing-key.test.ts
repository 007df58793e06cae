// The tool's key pair: only a suitable key signs, and the published key verifies the signature.

import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { createLocalJWKSet, jwtVerify } from 'jose'
import { describe, expect, test } from 'vitest'
import { signAssertion } from '#src/extensions/lms/lti/assertion.ts'
import { jwks, LtiKeyError, readPrivateKey } from '#src/extensions/lms/lti/signing-key.ts'
import { Secret } from '#src/platform/secret.ts'
import { openDice } from '#test/support/seeded-random.ts'
import { toolKey, toolPublicKey } from './lti-platform.ts'

const now = new Date('2026-03-01T12:00:00Z')
const publicKey = createPublicKey(toolPublicKey)
const signer = () => ({
  clientId: 'tool',
  issuer: 'tool',
  audience: 'aud',
  key: readPrivateKey(toolKey),
  random: openDice(1).next,
})

describe('the key set', () => {
  test.each([undefined, 'key-2026'])('verifies a signature with the key id %s', async (keyId) => {
    const set = await jwks(toolPublicKey, keyId)
    const { payload, protectedHeader } = await jwtVerify(
      await signAssertion({ ...signer(), keyId }, now),
      createLocalJWKSet(set),
      { currentDate: now },
    )
    expect(payload).toMatchObject({ iss: 'tool', sub: 'tool', aud: 'aud', iat: 1_772_366_400, exp: 1_772_366_700 })
    expect(protectedHeader.kid).toBe(set.keys[0]?.kid)
  })

  test('contains nothing of the private key, even if it is passed in by mistake', async () => {
    const set = await jwks(toolKey.reveal())
    expect(Object.keys(set.keys[0] ?? {}).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use'])
    expect(set).toEqual(await jwks(toolPublicKey))
  })

  test('cannot be created from text that is not a key', async () => {
    await expect(jwks('no key')).rejects.toThrow(LtiKeyError)
  })
})

describe('the private key', () => {
  const pem = (key: { export(options: { type: 'pkcs8'; format: 'pem' }): string | Buffer }) =>
    new Secret(key.export({ type: 'pkcs8', format: 'pem' }).toString())

  test.each([
    ['too short', () => generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey, /2048/],
    ['of another kind', () => generateKeyPairSync('ed25519').privateKey, /RSA/],
  ])('is refused when it is %s', (_, make, message) => {
    expect(() => readPrivateKey(pem(make()))).toThrow(message)
  })
})

describe('the assertion', () => {
  test('has a new id each time', async () => {
    const ownSigner = signer()
    const ids = new Set<unknown>()
    for (let i = 0; i < 5; i++) {
      const { payload } = await jwtVerify(await signAssertion(ownSigner, now), publicKey, { currentDate: now })
      ids.add(payload.jti)
    }
    expect(ids.size).toBe(5)
  })

  test('names another issuer if the platform requires one', async () => {
    const mine = signer()
    const signed = await signAssertion({ ...mine, issuer: 'https://tool.example' }, now)
    expect((await jwtVerify(signed, publicKey, { currentDate: now })).payload.iss).toBe('https://tool.example')
  })
})
