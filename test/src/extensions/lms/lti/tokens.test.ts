// Access tokens: requested once for concurrent callers, cached until shortly before they expire, and renewed once when
// rejected.

import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { openAgs } from '#src/extensions/lms/lti/ags.ts'
import { readPrivateKey } from '#src/extensions/lms/lti/signing-key.ts'
import { openLtiTokens } from '#src/extensions/lms/lti/tokens.ts'
import { Secret } from '#src/platform/secret.ts'
import { systemClock } from '#src/platform/time/clock.ts'
import { clientId, type Platform, toolKey } from './lti-platform.ts'
import { failureOf, openClient } from './open-client.ts'
import { send } from './send-with-fetch.ts'

const tokenRequests = (platform: Platform) => platform.calls().filter((call) => call === 'POST /token').length

describe('the token', () => {
  test('is requested once by concurrent callers', async () => {
    const { ags, platform } = await openClient()
    await Promise.all(Array.from({ length: 20 }, () => ags.results(platform.lineItem, '3')))
    expect(tokenRequests(platform)).toBe(1)
    expect(platform.requests).toHaveLength(21)
  })

  test.each([
    ['an hour', 3_600, 3_539_000, 3_541_000],
    ['an hour, written as a string', '3600', 3_539_000, 3_541_000],
    ['forty seconds', 40, 19_000, 21_000],
    ['an unspecified time', undefined, 239_000, 241_000],
  ])('with a lifetime of %s is used until shortly before it expires', async (_, expiresIn, stillMs, endedMs) => {
    const { ags, clock, platform } = await openClient()
    platform.behavior.expiresIn = expiresIn
    await ags.results(platform.lineItem, '3')
    await clock.advance(stillMs)
    await ags.results(platform.lineItem, '3')
    expect(tokenRequests(platform)).toBe(1)
    await clock.advance(endedMs - stillMs)
    await ags.results(platform.lineItem, '3')
    expect(tokenRequests(platform)).toBe(2)
  })

  test('that is rejected is renewed once for all callers', async () => {
    const { ags, platform } = await openClient()
    await ags.results(platform.lineItem, '3')
    platform.forgetTokens()
    const all = await Promise.all(Array.from({ length: 10 }, () => ags.results(platform.lineItem, '3')))
    expect(all).toEqual(all.map(() => []))
    expect(tokenRequests(platform)).toBe(2)
  })

  test('that was renewed is not dropped when the old one is rejected late', async () => {
    const { clock, platform } = await openClient()
    const signer = { clientId, audience: platform.tokenUrl, key: readPrivateKey(toolKey) }
    const tokens = openLtiTokens({ tokenUrl: platform.tokenUrl, signer, send, clock, deadlineMs: 5_000 })
    const take = () => tokens.get('scope/score')
    const old = await take()
    tokens.drop('scope/score', old)
    const renewed = await take()
    tokens.drop('scope/score', old)
    expect(await take()).toBe(renewed)
    expect(renewed).not.toBe(old)
  })

  test('is not renewed a second time for one call', async () => {
    const { ags, platform } = await openClient()
    platform.behavior.replacements = Array.from({ length: 9 }, () => ({ request: /lineitems/, reply: { status: 401 } }))
    expect(await failureOf(ags.lineItems(platform.lineItems))).toMatchObject({
      kind: 'refused',
      sentence: expect.stringContaining('401'),
    })
    expect(platform.calls()).toEqual(['POST /token', 'GET /lineitems', 'POST /token', 'GET /lineitems'])
  })

  test('is requested for the audience that the platform requires', async () => {
    const { ags, platform } = await openClient({ audience: 'https://api.lms.example/auth/token' })
    expect(await ags.results(platform.lineItem, '3')).toEqual([])
  })

  test('for a tool with another key is refused, with advice on what to check', async () => {
    const { platform, clock } = await openClient()
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const ags = openAgs({
      clientId,
      tokenUrl: platform.tokenUrl,
      privateKeyPem: new Secret(privateKey.export({ type: 'pkcs1', format: 'pem' }).toString()),
      send,
      clock,
    })
    const outcome = await failureOf(ags.results(platform.lineItem, '3'))
    expect(outcome).toMatchObject({ kind: 'refused', sentence: expect.stringContaining('400, invalid_client') })
    expect(JSON.stringify(outcome)).not.toMatch(/eyJ|PRIVATE/)
  })

  test('is refused if the tool has no permitted scopes', async () => {
    const { ags, platform } = await openClient()
    platform.behavior.scopes = []
    expect(await failureOf(ags.lineItems(platform.lineItems))).toMatchObject({
      kind: 'refused',
      sentence: expect.stringContaining('invalid_scope'),
    })
  })

  test.each([
    [
      { status: 503, headers: { 'retry-after': '5' } },
      { kind: 'away', retryAfterMs: 5_000 },
    ],
    [{ status: 429 }, { kind: 'away' }],
    [{ status: 200, body: '<html>maintenance' }, { kind: 'away' }],
    [{ status: 200, body: '{"access_token":"two\\nlines"}' }, { kind: 'away' }],
    [{ status: 404, body: '<html>' }, { kind: 'refused' }],
    [{ status: 302, headers: { location: '/login' } }, { kind: 'refused' }],
    [{ status: 401, body: '{"error":"Ada Lovelace said no"}' }, { kind: 'refused' }],
  ])('is requested again after the response %j', async (reply, outcome) => {
    const { ags, platform } = await openClient()
    platform.behavior.replacements = [{ request: /token/, reply }]
    const first = await failureOf(ags.results(platform.lineItem, '3'))
    expect(first).toMatchObject(outcome)
    expect(JSON.stringify(first)).not.toMatch(/Ada|two|html/)
    expect(await ags.results(platform.lineItem, '3')).toEqual([])
  })
})

test('a token URL without TLS is refused', () => {
  const options = { clientId: 'c', tokenUrl: 'http://lms.example/token', privateKeyPem: toolKey }
  expect(() => openAgs({ ...options, send, clock: systemClock })).toThrow(/https/)
})
