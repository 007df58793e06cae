// Sealing tokens for storage outside the process.

import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { openTokenSeal } from '#src/issuer/tokens/redis-token-store.ts'
import { Secret } from '#src/platform/secret.ts'

const account = { baseUrl: 'https://service.example', key: new Secret('the-key'), secret: new Secret('the-secret') }
const seal = openTokenSeal(account)

describe('a seal', () => {
  test('opens what it sealed in every process with the same account', () => {
    const text = `token ${'ü'.repeat(3_000)}`
    const again = openTokenSeal({ ...account, baseUrl: 'https://service.example:443/' })
    expect(again.name).toBe(seal.name)
    expect(again.open('access 1', seal.seal('access 1', text))).toBe(text)
    expect(again.open('access 1', seal.seal('access 1', ''))).toBe('')
  })

  test('is different each time', () => {
    expect(seal.seal('access 1', 'token')).not.toBe(seal.seal('access 1', 'token'))
  })

  test.each([
    ['another secret', { ...account, secret: new Secret('the-secret ') }],
    ['another key', { ...account, key: new Secret('the-key2') }],
    ['another service', { ...account, baseUrl: 'https://service.example/v2' }],
  ])('is not opened by %s', (_who, other) => {
    const sealed = seal.seal('access 1', 'token')
    expect(openTokenSeal(other).open('access 1', sealed)).toBeNull()
    expect(openTokenSeal(other).name).not.toBe(seal.name)
  })

  test('is not opened under another label', () => {
    expect(seal.open('refresh 1', seal.seal('access 1', 'token'))).toBeNull()
  })

  test('is not opened if a single bit was changed or the end is missing', () => {
    const bytes = Buffer.from(seal.seal('access 1', 'token'), 'base64url')
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes)
      changed[at] = (changed[at] ?? 0) ^ 1
      expect(seal.open('access 1', changed.toString('base64url'))).toBeNull()
      expect(seal.open('access 1', bytes.subarray(0, at).toString('base64url'))).toBeNull()
    }
  })

  test('shows neither key nor secret nor address when printed', () => {
    expect(inspect(seal, { depth: 9, showHidden: true })).not.toMatch(/the-key|the-secret|service\.example/)
    expect(seal.name).toMatch(/^[0-9a-f]{64}$/)
  })
})
