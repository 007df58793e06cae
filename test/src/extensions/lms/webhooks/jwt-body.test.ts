// Verifies a body that is a signed JWT, with the sender's keys served over real HTTP.

import { CompactSign, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { authenticate } from '#src/extensions/lms/webhooks/authenticate.ts'
import { eventAuthSchema } from '#src/extensions/lms/webhooks/event-auth-settings.ts'
import { createKeySets, type KeySets } from '#src/extensions/lms/webhooks/key-sets.ts'
import { openScriptedServer, type Script, type ScriptedServer } from '#test/support/scripted-server.ts'

const start = new Date('2026-11-21T12:00:00Z')
const afterStart = (ms: number) => new Date(start.getTime() + ms)
const content = { metadata: { root_account_uuid: 'ours' }, body: { user: { id: '21070000000000001' } } }
const minute = 60_000

type KeyPair = Awaited<ReturnType<typeof generateKeyPair>>
const newPair = (alg: string): Promise<KeyPair> => generateKeyPair(alg, { extractable: true })
const [firstPair, secondPair, ellipticPair] = await Promise.all([newPair('RS256'), newPair('RS256'), newPair('ES256')])
let server: ScriptedServer

beforeAll(async () => {
  server = await openScriptedServer()
})
afterAll(() => server.close())

const serveKeys = async (...named: [string, KeyPair][]): Promise<Script> => {
  const keys = await Promise.all(named.map(async ([kid, pair]) => ({ ...(await exportJWK(pair.publicKey)), kid })))
  return (_, response) => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ keys }))
}
const sign = (pair: KeyPair, kid: string, claims: JWTPayload = content, alg = 'RS256') =>
  new SignJWT(claims).setProtectedHeader({ alg, kid }).sign(pair.privateKey)

describe('a body that is a signed token', () => {
  let keySets: KeySets
  let fetchCountBefore: number

  beforeEach(async () => {
    server.on('/jwks', await serveKeys(['k1', firstPair], ['e1', ellipticPair]))
    fetchCountBefore = server.requests('/jwks').length
    const fetchKeys = async (url: string) => {
      const answer = await fetch(url)
      if (!answer.ok) throw new Error(`status ${answer.status}`)
      return answer.json()
    }
    keySets = createKeySets(fetchKeys)
  })

  const verdictOf = async (token: string, now = start, more: object = {}) => {
    const settings = eventAuthSchema.parse({ type: 'jwt', jwks: `${server.url}/jwks`, ...more })
    const event = { headers: {}, body: Buffer.from(token), remoteAddress: '' }
    const verdict = await authenticate(settings, event, now, keySets)
    return verdict.ok ? verdict.body.toString() : verdict.why
  }
  const fetchCount = () => server.requests('/jwks').length - fetchCountBefore

  test('is accepted, and its payload is the signed content', async () => {
    expect(await verdictOf(`${await sign(firstPair, 'k1')}\n`)).toBe(JSON.stringify(content))
  })

  test('is verified with cached keys for an hour, and then with newly fetched keys', async () => {
    const token = await sign(firstPair, 'k1')
    await Promise.all([verdictOf(token), verdictOf(token)])
    await verdictOf(token, afterStart(59 * minute))
    expect(fetchCount()).toBe(1)
    await verdictOf(token, afterStart(60 * minute))
    expect(fetchCount()).toBe(2)
  })

  test('with a new key is accepted after the keys are fetched again, at most once a minute', async () => {
    await verdictOf(await sign(firstPair, 'k1'))
    server.on('/jwks', await serveKeys(['k1', firstPair], ['k2', secondPair]))
    const token = await sign(secondPair, 'k2')
    expect(await verdictOf(token, afterStart(59_000))).toBe('key-unknown')
    expect(fetchCount()).toBe(1)
    expect(await verdictOf(token, afterStart(minute))).toBe(JSON.stringify(content))
    expect(fetchCount()).toBe(2)
  })

  test('with an unknown key causes one fetch a minute, however many such requests arrive', async () => {
    const unknownKeyToken = await sign(secondPair, 'k9')
    for (const ms of [0, 1_000, 30_000, 59_999, minute, minute + 1, 2 * minute - 1])
      expect(await verdictOf(unknownKeyToken, afterStart(ms))).toBe('key-unknown')
    expect(fetchCount()).toBe(2)
  })

  test('is verified with cached keys for a day while the sender is unavailable', async () => {
    const token = await sign(firstPair, 'k1')
    await verdictOf(token)
    server.on('/jwks', (_, response) => response.writeHead(500).end())
    expect(await verdictOf(token, afterStart(23 * 60 * minute))).toBe(JSON.stringify(content))
    expect(await verdictOf(token, afterStart(24 * 60 * minute))).toBe('keys-unavailable')
  })

  test.each<[string, Script]>([
    ['cannot be fetched', (_, response) => response.writeHead(503).end()],
    ['are not JSON', (_, response) => response.writeHead(200).end('<html>')],
    ['have no type', (_, response) => response.writeHead(200).end('{"keys":[{"kid":"k1"}]}')],
    ['are not a key set', (_, response) => response.writeHead(200).end('{"keys":"none"}')],
  ])('is not reported as wrongly signed if its keys %s', async (_, script) => {
    server.on('/jwks', script)
    expect(await verdictOf(await sign(firstPair, 'k1'))).toBe('keys-unavailable')
    server.on('/jwks', await serveKeys(['k1', firstPair]))
    expect(await verdictOf(await sign(firstPair, 'k1'), afterStart(minute))).toBe(JSON.stringify(content))
  })

  test('signed by another key with the same id is refused', async () => {
    expect(await verdictOf(await sign(secondPair, 'k1'))).toBe('signature-wrong')
  })

  test('that was changed is refused', async () => {
    const [head, , signature] = (await sign(firstPair, 'k1')).split('.')
    const forged = Buffer.from(JSON.stringify({ ...content, forged: true })).toString('base64url')
    expect(await verdictOf(`${head}.${forged}.${signature}`)).toBe('signature-wrong')
  })

  test('with an unsupported signature does not request keys', async () => {
    const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.e30.AA`
    expect(await verdictOf(unsigned)).toBe('signature-wrong')
    expect(await verdictOf(await sign(ellipticPair, 'e1', content, 'ES256'))).toBe('signature-wrong')
    expect(fetchCount()).toBe(0)
    for (const algorithms of [['ES256'], ['RS256', 'ES256']])
      expect(await verdictOf(await sign(ellipticPair, 'e1', content, 'ES256'), start, { algorithms })).toBe(
        JSON.stringify(content),
      )
  })

  test('signed with the public key as a shared secret is refused', async () => {
    const secret = new TextEncoder().encode(JSON.stringify(await exportJWK(firstPair.publicKey)))
    const token = await new SignJWT(content).setProtectedHeader({ alg: 'HS256', kid: 'k1' }).sign(secret)
    expect(await verdictOf(token)).toBe('signature-wrong')
  })

  test.each(['', '{}', 'a.b', 'a.b.c.d', '!.!.!', 'AA.AA.AA'])('that is not a token is refused: %j', async (token) => {
    expect(await verdictOf(token)).toBe('token-malformed')
    expect(fetchCount()).toBe(0)
  })

  test('whose signed content is no object is refused', async () => {
    const text = new TextEncoder().encode('"text"')
    const token = await new CompactSign(text).setProtectedHeader({ alg: 'RS256', kid: 'k1' }).sign(firstPair.privateKey)
    expect(await verdictOf(token)).toBe('token-malformed')
  })

  test.each<[string, JWTPayload, object, string | null]>([
    [
      'with a claim that is neither text nor a number',
      { tenant: true },
      { claims: { '/tenant': 'true' } },
      'claims-wrong',
    ],
    ['that expires later', { exp: start.getTime() / 1_000 + 60 }, {}, null],
    ['that expired within the tolerance', { exp: start.getTime() / 1_000 - 299 }, {}, null],
    ['that expired before', { exp: start.getTime() / 1_000 - 301 }, {}, 'token-expired'],
    ['that begins later', { nbf: start.getTime() / 1_000 + 301 }, {}, 'token-expired'],
    ['of the required issuer', { iss: 'canvas' }, { issuer: 'canvas' }, null],
    ['of another issuer', { iss: 'other' }, { issuer: 'canvas' }, 'claims-wrong'],
    ['for us', { aud: ['us', 'them'] }, { audience: 'us' }, null],
    ['for others', { aud: 'them' }, { audience: 'us' }, 'claims-wrong'],
    ['of our account', {}, { claims: { '/metadata/root_account_uuid': 'ours' } }, null],
    ['of another customer', {}, { claims: { '/metadata/root_account_uuid': 'theirs' } }, 'claims-wrong'],
    [
      'of our account, but another user',
      {},
      { claims: { '/metadata/root_account_uuid': 'ours', '/body/user/id': '7' } },
      'claims-wrong',
    ],
    ['with a claim that is a number', { tenant: 7 }, { claims: { '/tenant': '7' } }, null],
    ['without the required claim', {}, { claims: { '/metadata/no': 'ours' } }, 'claims-wrong'],
  ])('%s is accepted or refused because of its claims', async (_, claims, more, why) => {
    const claimed = { ...content, ...claims }
    expect(await verdictOf(await sign(firstPair, 'k1', claimed), start, more)).toBe(why ?? JSON.stringify(claimed))
  })
})
