// A signed JWT as the whole body, with the sender's keys at a real address.

import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { eventAuthSchema } from '#config/event-auth-settings.ts'
import { createAuthenticator } from '#src/events/authenticate.ts'
import { openScriptedServer, type Script, type ScriptedServer } from '#test/support/scripted-server.ts'

const start = new Date('2026-11-21T12:00:00Z')
const later = (ms: number) => new Date(start.getTime() + ms)
const content = { metadata: { root_account_uuid: 'ours' }, body: { user: { id: '21070000000000001' } } }
const minute = 60_000

type Keys = Awaited<ReturnType<typeof generateKeyPair>>
let server: ScriptedServer
let first: Keys
let second: Keys
let elliptic: Keys

beforeAll(async () => {
  server = await openScriptedServer()
  ;[first, second, elliptic] = await Promise.all([
    generateKeyPair('RS256', { extractable: true }),
    generateKeyPair('RS256', { extractable: true }),
    generateKeyPair('ES256', { extractable: true }),
  ])
})
afterAll(() => server.close())

const shown = async (...named: [string, Keys][]): Promise<Script> => {
  const keys = await Promise.all(named.map(async ([kid, pair]) => ({ ...(await exportJWK(pair.publicKey)), kid })))
  return (_, response) => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ keys }))
}
const sign = (pair: Keys, kid: string, claims: JWTPayload = content, alg = 'RS256') =>
  new SignJWT(claims).setProtectedHeader({ alg, kid }).sign(pair.privateKey)

describe('a body that is a signed token', () => {
  let authenticate: ReturnType<typeof createAuthenticator>
  let asked: number

  beforeEach(async () => {
    server.on('/jwks', await shown(['k1', first], ['e1', elliptic]))
    asked = server.requests('/jwks').length
    authenticate = createAuthenticator(async (url) => {
      const answer = await fetch(url)
      if (!answer.ok) throw new Error(`status ${answer.status}`)
      return answer.json()
    })
  })

  const judge = async (token: string, now = start, more: object = {}) => {
    const settings = eventAuthSchema.parse({ type: 'jwt', jwks: `${server.url}/jwks`, ...more })
    const verdict = await authenticate(settings, { headers: {}, body: Buffer.from(token), remoteAddress: '' }, now)
    return verdict.ok ? verdict.body.toString() : verdict.why
  }
  const fetches = () => server.requests('/jwks').length - asked

  test('is taken, and its payload is the content as it was signed', async () => {
    expect(await judge(`${await sign(first, 'k1')}\n`)).toBe(JSON.stringify(content))
  })

  test('keeps its keys for an hour, then asks again', async () => {
    const token = await sign(first, 'k1')
    await Promise.all([judge(token), judge(token), judge(token, later(59 * minute))])
    expect(fetches()).toBe(1)
    await judge(token, later(60 * minute))
    expect(fetches()).toBe(2)
  })

  test('with a new key is taken: the keys are asked for again, at most once a minute', async () => {
    await judge(await sign(first, 'k1'))
    server.on('/jwks', await shown(['k1', first], ['k2', second]))
    const token = await sign(second, 'k2')
    expect(await judge(token, later(59_000))).toBe('key-unknown')
    expect(fetches()).toBe(1)
    expect(await judge(token, later(minute))).toBe(JSON.stringify(content))
    expect(fetches()).toBe(2)
  })

  test('with a key that nobody knows asks once a minute, however many come', async () => {
    const strange = await sign(second, 'k9')
    for (const ms of [0, 1_000, 30_000, 59_999, minute, minute + 1, 2 * minute - 1])
      expect(await judge(strange, later(ms))).toBe('key-unknown')
    expect(fetches()).toBe(2)
  })

  test('is judged by the kept keys while the sender cannot be asked, for a day', async () => {
    const token = await sign(first, 'k1')
    await judge(token)
    server.on('/jwks', (_, response) => response.writeHead(500).end())
    expect(await judge(token, later(23 * 60 * minute))).toBe(JSON.stringify(content))
    expect(await judge(token, later(24 * 60 * minute))).toBe('keys-unavailable')
  })

  test.each<[string, Script]>([
    ['fail', (_, response) => response.writeHead(503).end()],
    ['are no JSON', (_, response) => response.writeHead(200).end('<html>')],
    ['are no keys', (_, response) => response.writeHead(200).end('{"keys":"none"}')],
  ])('is told apart from a wrong one when the keys %s', async (_, script) => {
    server.on('/jwks', script)
    expect(await judge(await sign(first, 'k1'))).toBe('keys-unavailable')
    server.on('/jwks', await shown(['k1', first]))
    expect(await judge(await sign(first, 'k1'), later(minute))).toBe(JSON.stringify(content))
  })

  test('by another key of the same name is refused', async () => {
    expect(await judge(await sign(second, 'k1'))).toBe('signature-wrong')
  })

  test('that was changed is refused', async () => {
    const [head, , signature] = (await sign(first, 'k1')).split('.')
    const forged = Buffer.from(JSON.stringify({ ...content, forged: true })).toString('base64url')
    expect(await judge(`${head}.${forged}.${signature}`)).toBe('signature-wrong')
  })

  test('with a signature that is not accepted makes nobody ask for keys', async () => {
    const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.e30.AA`
    expect(await judge(unsigned)).toBe('signature-wrong')
    expect(await judge(await sign(elliptic, 'e1', content, 'ES256'))).toBe('signature-wrong')
    expect(fetches()).toBe(0)
    expect(await judge(await sign(elliptic, 'e1', content, 'ES256'), start, { algorithms: ['ES256'] })).toBe(
      JSON.stringify(content),
    )
  })

  test('signed with the public key as a shared secret is refused', async () => {
    const secret = new TextEncoder().encode(JSON.stringify(await exportJWK(first.publicKey)))
    const token = await new SignJWT(content).setProtectedHeader({ alg: 'HS256', kid: 'k1' }).sign(secret)
    expect(await judge(token)).toBe('signature-wrong')
  })

  test.each(['', '{}', 'a.b', 'a.b.c.d', '!.!.!', 'AA.AA.AA'])('that is none is refused: %j', async (token) => {
    expect(await judge(token)).toBe('token-malformed')
    expect(fetches()).toBe(0)
  })

  test.each<[string, JWTPayload, object, string | null]>([
    ['that ends later', { exp: start.getTime() / 1_000 + 60 }, {}, null],
    ['that ended within the tolerance', { exp: start.getTime() / 1_000 - 299 }, {}, null],
    ['that ended before', { exp: start.getTime() / 1_000 - 301 }, {}, 'token-expired'],
    ['that begins later', { nbf: start.getTime() / 1_000 + 301 }, {}, 'token-expired'],
    ['of the issuer', { iss: 'canvas' }, { issuer: 'canvas' }, null],
    ['of another issuer', { iss: 'other' }, { issuer: 'canvas' }, 'claims-wrong'],
    ['for us', { aud: ['us', 'them'] }, { audience: 'us' }, null],
    ['for others', { aud: 'them' }, { audience: 'us' }, 'claims-wrong'],
    ['of our account', {}, { claims: { '/metadata/root_account_uuid': 'ours' } }, null],
    ['of another customer', {}, { claims: { '/metadata/root_account_uuid': 'theirs' } }, 'claims-wrong'],
    ['without that claim', {}, { claims: { '/metadata/no': 'ours' } }, 'claims-wrong'],
  ])('%s is judged by its claims', async (_, claims, more, why) => {
    const said = { ...content, ...claims }
    expect(await judge(await sign(first, 'k1', said), start, more)).toBe(why ?? JSON.stringify(said))
  })
})
