// Passwords, session cookies, and the headers of a proxy.

import { describe, expect, test } from 'vitest'
import { hashPassword, isPassword } from '#src/extensions/console/security/password-hash.ts'
import { consoleCookie, makeToken } from '#src/extensions/console/security/session-cookie.ts'
import { consoleSchema } from '#src/extensions/console/settings/console-settings.ts'
import { proxiedPerson } from '#src/extensions/console/sign-in/proxy-sign-in.ts'
import { placeAfter } from '#src/extensions/console/sign-in/sign-in-page.ts'

describe('a password', () => {
  test('is recognized by its hash, however its letters are composed', async () => {
    const hash = await hashPassword('Zoë and her twelve bicycles')
    expect(hash).not.toContain('bicycles')
    expect(await isPassword('Zoe\u0308 and her twelve bicycles', hash)).toBe(true)
    expect(await isPassword('Zoe and her twelve bicycles', hash)).toBe(false)
    expect(await hashPassword('Zoë and her twelve bicycles')).not.toBe(hash)
  })

  test('is wrong for whoever has none', async () => {
    expect(await isPassword('', null)).toBe(false)
    expect(await isPassword('', '')).toBe(false)
  })
})

describe('the cookie of a session', () => {
  const { text } = makeToken()

  test('is bound to the host over https', () => {
    const cookie = consoleCookie({ isSecure: true }, 'production')
    expect(cookie.set(text)).toBe(`__Host-credsync-production=${text}; Path=/; HttpOnly; SameSite=Lax; Secure`)
    expect(cookie.read(`a=b; __Host-credsync-production=${text}`)).toBe(text)
    expect(cookie.read(`credsync-production=${text}`)).toBeNull()
  })

  test('is not believed if it came twice, or is no token', () => {
    const cookie = consoleCookie({ isSecure: false }, 'x')
    expect(cookie.read(`credsync-x=${text}; credsync-x=${makeToken().text}`)).toBeNull()
    expect(cookie.read(`credsync-x=${text}!`)).toBeNull()
    expect(cookie.read(undefined)).toBeNull()
  })
})

describe('the header of a proxy', () => {
  const secret = 'a secret of at least 24 characters'
  const settings = consoleSchema.parse({
    url: 'https://credentials.example.edu',
    trustedProxies: ['10.0.0.0/8'],
    auth: {
      proxy: {
        secret,
        grants: [
          { of: 'registry', role: 'registrar', pipelines: ['spring'] },
          { of: 'it', role: 'operator' },
        ],
      },
    },
  })
  const headers = {
    'x-forwarded-user': 'ada',
    'x-forwarded-groups': 'staff, registry',
    'x-credsync-proxy-secret': secret,
  }

  test('names a person with the grant of the first group that fits', () => {
    expect(proxiedPerson(settings, { headers, peer: '10.1.2.3' })).toEqual({
      name: 'ada (proxy)',
      role: 'registrar',
      pipelines: ['spring'],
    })
    expect(proxiedPerson(settings, { headers, peer: '::ffff:10.1.2.3' })).toMatchObject({ name: 'ada (proxy)' })
  })

  test('does not count from another address, without the secret or with another one', () => {
    expect(proxiedPerson(settings, { headers, peer: '192.0.2.7' })).toBeNull()
    expect(proxiedPerson(settings, { headers, peer: '127.0.0.1' })).toBeNull()
    expect(
      proxiedPerson(settings, { headers: { ...headers, 'x-credsync-proxy-secret': 'guessed' }, peer: '10.1.2.3' }),
    ).toBeNull()
    const { 'x-credsync-proxy-secret': _, ...withoutSecret } = headers
    expect(proxiedPerson(settings, { headers: withoutSecret, peer: '10.1.2.3' })).toBeNull()
  })

  test('does not count if two people are in it', () => {
    expect(
      proxiedPerson(settings, { headers: { ...headers, 'x-forwarded-user': 'ada, eve' }, peer: '10.1.2.3' }),
    ).toBeNull()
  })

  test('of somebody without a grant lets nobody in', () => {
    expect(proxiedPerson(settings, { headers: { ...headers, 'x-forwarded-groups': 'staff' }, peer: '10.1.2.3' })).toBe(
      'stranger',
    )
  })
})

describe('after the sign-in', () => {
  test.each([
    '/',
    '/runs?state=open&before=2026-11-28T01:00:00.000000Z+x',
    '/runs/8d7c2b54-6f0e-4a1d-9b3c-5e2f7a9d0c11',
  ])('%s is shown', (to) => {
    expect(placeAfter(to)).toBe(to)
  })

  test.each(['https://evil.example', '//evil.example', '/\\evil.example', '/sign-out', 'runs', '/a b', '', null])(
    '%s is not',
    (to) => {
      expect(placeAfter(to)).toBe('/')
    },
  )
})
