// What `check` reports about the console: its port, and whether somebody can sign in.

import { once } from 'node:events'
import { createServer } from 'node:net'
import { hostname } from 'node:os'
import { expect, onTestFinished, test } from 'vitest'
import { parseFileSettings } from '#config/settings.ts'
import { checkConsole } from '#src/check/check-console.ts'
import { describeWithDatabase } from '#test/support/database.ts'
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
})
