// What `check` reports about the console: its port, whether somebody can sign in, and the identity provider.

import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { hostname } from 'node:os'
import { expect, onTestFinished, test } from 'vitest'
import { parseFileSettings } from '#config/settings.ts'
import { checkConsole } from '#src/extensions/console/check/check-console.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { openTestProvider } from '#test/support/identity-provider.ts'
import { join } from '#test/support/join-worker.ts'
import { openTestLedger, type TestLedger } from '#test/support/test-ledger.ts'

async function usedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
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

  const asked = async (open: TestLedger, client: object) => {
    const oidc = { clientId: 'credsync', clientSecret: 'a secret', grants: [{ of: 'it', role: 'operator' }], ...client }
    const settings = { port: 0, url: 'https://credentials.example.edu', auth: { oidc } }
    return (await check(open, settings)).at(1)
  }

  test('asks the identity provider', async () => {
    await using open = await openTestLedger()
    await using provider = await openTestProvider()
    const { issuer, clientId, clientSecret } = provider
    expect(await asked(open, { issuer, clientId, clientSecret })).toMatchObject({
      ...{ ok: true, what: `people sign in at ${new URL(issuer).host}` },
    })
  })

  test('says that the identity provider is another one, describes nothing, or is away', async () => {
    await using open = await openTestLedger()
    const answers = async (body: string) => {
      const server = createHttpServer((_, response) => {
        response.writeHead(200, { 'content-type': 'application/json' }).end(body)
      }).listen(0, '127.0.0.1')
      onTestFinished(() => void server.close())
      await once(server, 'listening')
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    }
    for (const [issuer, what] of [
      [
        await answers('{"issuer":"https://login.example.edu/students"}'),
        'calls itself https://login.example.edu/students',
      ],
      [await answers('<html>'), 'does not describe itself at'],
      ['http://127.0.0.1:1', 'does not answer at http://127.0.0.1:1'],
    ] as const) {
      const found = await asked(open, { issuer })
      expect(found).toMatchObject({ ok: false, what: expect.stringContaining(`the identity provider ${what}`) })
      expect(JSON.stringify(found)).not.toContain('a secret')
    }
  })
})
