// What `check` reports about the console: its port, whether somebody can sign in, and the identity provider.

import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { createServer } from 'node:net'
import { hostname } from 'node:os'
import { describe, expect, onTestFinished, test } from 'vitest'
import { parseFileSettings } from '#config/settings.ts'
import { checkConsole, checkIdentityProvider } from '#src/extensions/console/check/check-console.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { openTestProvider } from '#test/support/identity-provider.ts'
import { join } from '#test/support/join-worker.ts'
import { openTestLedger, type TestLedger } from '#test/support/test-ledger.ts'

async function usedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  return (server.address() as { port: number }).port
}

function check({ database, ledger }: TestLedger, settings: object | undefined) {
  const file = parseFileSettings({
    service: { environment: 'development' },
    pipelines: {},
    web: { port: 8085 },
    ...(settings && { console: settings }),
  })
  return checkConsole({ settings: { file }, database, ledger } as Parameters<typeof checkConsole>[0])
}

describeWithDatabase('the check of the console', () => {
  test('says nothing without one, and needs a port of its own', async () => {
    await using open = await openTestLedger()
    expect(await check(open, undefined)).toEqual([])
    expect(await check(open, { port: 8085 })).toMatchObject([
      { ok: false, what: 'the console and the health pages have the same port, 8085' },
    ])
  })

  test('refuses a port that another program uses, unless it is a worker on this machine', async () => {
    await using open = await openTestLedger()
    const port = await usedPort()
    const taken = [{ ok: false, what: `the console cannot listen on 127.0.0.1, port ${port} (EADDRINUSE)` }]
    expect(await check(open, { port })).toMatchObject(taken)
    await using _worker = await join(open, '1')
    expect(await check(open, { port })).toMatchObject(taken)
    await open.database.query('UPDATE worker SET host = $1', [hostname()])
    expect(await check(open, { port })).toMatchObject([{ ok: true, what: `on this machine only, port ${port}` }])
  })

  test('notes that nobody can sign in yet', async () => {
    await using open = await openTestLedger()
    const nobody = [expect.stringContaining('nobody can sign in yet')]
    expect(await check(open, { port: 0 })).toMatchObject([{ ok: true, notices: nobody }])
    const link = { hash: Buffer.alloc(32), endsAt: new Date(0) }
    await open.ledger.consolePeople.add('ada', { role: 'operator', pipelines: null }, link, 'test', new Date(0))
    const [someone] = await check(open, { port: 0 })
    expect(someone).toMatchObject({ ok: true })
    expect(someone?.notices).toBeUndefined()
  })

  test('asks the identity provider, whatever becomes of the port', async () => {
    await using open = await openTestLedger()
    await using provider = await openTestProvider()
    const { issuer, clientId, clientSecret } = provider
    const oidc = { issuer, clientId, clientSecret, grants: [{ of: 'it', role: 'operator' }] }
    const settings = { port: await usedPort(), url: 'https://credentials.example.edu', auth: { oidc } }
    expect(await check(open, settings)).toMatchObject([
      { ok: false, what: expect.stringContaining('EADDRINUSE') },
      { ok: true, what: `people sign in at ${new URL(issuer).host}` },
    ])
  })
})

describe('the check of an identity provider', () => {
  /** A provider that answers this, after a while. */
  async function provider(answer: { status?: number; body?: (issuer: string) => object | string; never?: boolean }) {
    const server = createHttpServer((_, response) => {
      if (answer.never) return
      const body = answer.body?.(issuer()) ?? {}
      response.writeHead(answer.status ?? 200, { 'content-type': 'application/json' })
      response.end(typeof body === 'string' ? body : JSON.stringify(body))
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => {
      server.closeAllConnections()
      server.close()
    })
    const issuer = () => `http://127.0.0.1:${(server.address() as { port: number }).port}/realms/staff`
    return { issuer: issuer(), clientId: 'credsync', clientSecret: 'a secret' }
  }

  const whole = (issuer: string) => ({
    issuer,
    ...{ authorization_endpoint: `${issuer}/a`, token_endpoint: `${issuer}/t`, jwks_uri: `${issuer}/k` },
  })

  test.each([
    ['itself', {}, null, null],
    [
      'no algorithm that can be checked',
      { id_token_signing_alg_values_supported: ['HS256', 'none'] },
      'signs ID tokens in no way that can be checked',
      'Let it sign them with RS256, ES256 or PS256',
    ],
    ['several algorithms', { id_token_signing_alg_values_supported: ['HS256', 'ES384'] }, null, null],
    ['no code flow', { response_types_supported: ['id_token'] }, 'authorization code flow', 'response type code'],
    ['no PKCE', { code_challenge_methods_supported: ['plain'] }, 'PKCE with S256', 'method S256'],
    [
      'another way to authenticate',
      { token_endpoint_auth_methods_supported: ['private_key_jwt'] },
      'takes no secret of a client from a form',
      'Allow client_secret_post',
    ],
    ['no keys', { jwks_uri: undefined }, 'names no jwks_uri', 'Set console.auth.oidc.issuer'],
    [
      'another name',
      { issuer: 'https://login.example.edu/realms/students' },
      'calls itself https://login.example.edu/realms/students, and not http://127.0.0.1',
      'Set console.auth.oidc.issuer to the issuer of your identity provider, as it says it',
    ],
  ])('that describes %s', async (_, more, what, remedy) => {
    const client = await provider({ body: (issuer) => ({ ...whole(issuer), ...more }) })
    const found = await checkIdentityProvider(client)
    if (what === null) expect(found).toMatchObject({ ok: true, what: expect.stringContaining('people sign in at') })
    else
      expect(found).toMatchObject({
        ...{ ok: false, what: expect.stringContaining(what), remedy: expect.stringContaining(remedy) },
      })
  })

  test('that answers something else, late, or not at all', async () => {
    const closed = createServer().listen(0, '127.0.0.1')
    await once(closed, 'listening')
    const { port } = closed.address() as { port: number }
    closed.close()
    const faults = [
      [await provider({ status: 404 }), 'answers 404 where', 900],
      [await provider({ body: () => '<html>' }), 'does not describe itself at', 900],
      [await provider({ never: true }), 'did not answer within 0.2 s at', 0.2],
      [{ issuer: `http://127.0.0.1:${port}`, clientId: 'a', clientSecret: 'b' }, '(ECONNREFUSED)', 900],
    ] as const
    for (const [client, what, timeoutS] of faults) {
      const found = await checkIdentityProvider(client, timeoutS)
      expect(found).toMatchObject({ ok: false, what: expect.stringContaining(what) })
      expect(JSON.stringify([found.what, found.remedy])).not.toContain(client.clientSecret)
    }
  })
})
