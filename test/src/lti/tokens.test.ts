// The token: asked for once for many, kept until shortly before its end, renewed once when it is not known any more.

import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { openAgs } from '#src/lti/ags.ts'
import { LtiKeyError, readPrivateKey } from '#src/lti/signing-key.ts'
import { openTokens } from '#src/lti/tokens.ts'
import { Secret } from '#src/secret/secret.ts'
import { systemClock } from '#src/time/clock.ts'
import { openDice } from '#test/support/dice.ts'
import { opened } from './opened.ts'
import { clientId, type Platform, toolKey } from './platform.ts'
import { send } from './send.ts'

const tokensAsked = (platform: Platform) => platform.calls().filter((call) => call === 'POST /token').length

describe('the token', () => {
  test('is asked for once by many at the same time', async () => {
    const { ags, platform } = await opened()
    await Promise.all(Array.from({ length: 20 }, () => ags.results(platform.lineItem, '3')))
    expect(tokensAsked(platform)).toBe(1)
    expect(platform.arrived).toHaveLength(21)
  })

  test.each([
    ['an hour', 3_600, 3_539_000, 3_541_000],
    ['an hour, written as text', '3600', 3_539_000, 3_541_000],
    ['forty seconds', 40, 19_000, 21_000],
    ['an unsaid time', undefined, 239_000, 241_000],
  ])('of %s is used until shortly before its end', async (_, expiresIn, stillMs, endedMs) => {
    const { ags, clock, platform } = await opened()
    platform.knobs.expiresIn = expiresIn
    await ags.results(platform.lineItem, '3')
    await clock.advance(stillMs)
    await ags.results(platform.lineItem, '3')
    expect(tokensAsked(platform)).toBe(1)
    await clock.advance(endedMs - stillMs)
    await ags.results(platform.lineItem, '3')
    expect(tokensAsked(platform)).toBe(2)
  })

  test('that is not known any more is renewed once, for all who were refused with it', async () => {
    const { ags, platform } = await opened()
    await ags.results(platform.lineItem, '3')
    platform.forgetTokens()
    const all = await Promise.all(Array.from({ length: 10 }, () => ags.results(platform.lineItem, '3')))
    expect(all).toEqual(all.map(() => ({ kind: 'results', results: [] })))
    expect(tokensAsked(platform)).toBe(2)
  })

  test('that was renewed already is not dropped by somebody who hears late of the old one', async () => {
    const { clock, platform } = await opened()
    const signer = { clientId, audience: platform.tokenUrl, key: readPrivateKey(toolKey), random: openDice(1).next }
    const tokens = openTokens({ tokenUrl: platform.tokenUrl, signer, send, clock, deadlineMs: 5_000 })
    const take = async () => {
      const taken = await tokens.take('scope/score')
      if (taken.kind !== 'token') throw new Error(taken.why)
      return taken.token
    }
    const old = await take()
    tokens.drop('scope/score', old)
    const renewed = await take()
    tokens.drop('scope/score', old)
    expect(await take()).toBe(renewed)
    expect(renewed).not.toBe(old)
  })

  test('is not renewed a second time for one call', async () => {
    const { ags, platform } = await opened()
    platform.knobs.instead = Array.from({ length: 9 }, () => ({ of: /lineitems/, reply: { status: 401 } }))
    expect(await ags.lineItems(platform.lineItems)).toMatchObject({
      kind: 'refused',
      why: expect.stringContaining('401'),
    })
    expect(platform.calls()).toEqual(['POST /token', 'GET /lineitems', 'POST /token', 'GET /lineitems'])
  })

  test('is asked for the audience that the platform names', async () => {
    const { ags, platform } = await opened({ audience: 'https://api.lms.example/auth/token' })
    expect(await ags.results(platform.lineItem, '3')).toMatchObject({ kind: 'results' })
  })

  test('of a tool with another key is refused, with what to check', async () => {
    const { platform, clock } = await opened()
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const ags = openAgs({
      clientId,
      tokenUrl: platform.tokenUrl,
      privateKeyPem: new Secret(privateKey.export({ type: 'pkcs1', format: 'pem' }).toString()),
      send,
      clock,
      random: () => 0.5,
    })
    const outcome = await ags.results(platform.lineItem, '3')
    expect(outcome).toMatchObject({ kind: 'refused', why: expect.stringContaining('400, invalid_client') })
    expect(JSON.stringify(outcome)).not.toMatch(/eyJ|PRIVATE/)
  })

  test('is refused when the tool may do nothing', async () => {
    const { ags, platform } = await opened()
    platform.knobs.scopes = []
    expect(await ags.lineItems(platform.lineItems)).toMatchObject({
      kind: 'refused',
      why: expect.stringContaining('invalid_scope'),
    })
  })

  test.each([
    [
      { status: 503, headers: { 'retry-after': '5' } },
      { kind: 'later', afterMs: 5_000 },
    ],
    [{ status: 429 }, { kind: 'later' }],
    [{ status: 200, body: '<html>maintenance' }, { kind: 'later' }],
    [{ status: 200, body: '{"access_token":"two\\nlines"}' }, { kind: 'later' }],
    [{ status: 404, body: '<html>' }, { kind: 'refused' }],
    [{ status: 302, headers: { location: '/login' } }, { kind: 'refused' }],
    [{ status: 401, body: '{"error":"Ada Lovelace said no"}' }, { kind: 'refused' }],
  ])('after %j is not kept', async (reply, outcome) => {
    const { ags, platform } = await opened()
    platform.knobs.instead = [{ of: /token/, reply }]
    const first = await ags.results(platform.lineItem, '3')
    expect(first).toMatchObject(outcome)
    expect(JSON.stringify(first)).not.toMatch(/Ada|two|html/)
    expect(await ags.results(platform.lineItem, '3')).toMatchObject({ kind: 'results' })
  })
})

describe('the client', () => {
  const options = { clientId: 'c', tokenUrl: 'https://lms.example/token', send, clock: systemClock, random: () => 0 }

  test.each(['', 'no key', '-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----'])(
    'does not open without a private key (%#)',
    (text) => {
      expect(() => openAgs({ ...options, privateKeyPem: new Secret(text) })).toThrow(LtiKeyError)
    },
  )

  test('does not open for a token URL without protection', () => {
    expect(() => openAgs({ ...options, tokenUrl: 'http://lms.example/token', privateKeyPem: toolKey })).toThrow(/https/)
  })
})
