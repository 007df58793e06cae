// credsync console user, and the console as a part of `start`, as somebody at a shell uses them.

import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, test } from 'vitest'
import { openWorkspace } from '#test/src/cli/cli-workspace.ts'
import { describeWithDatabase } from '#test/support/database.ts'

const config = ['--config', 'credsync.yaml']
const user = (...args: string[]) => ['console', 'user', ...args, ...config]

describeWithDatabase('credsync console user', () => {
  test('makes a link that lets one person in, until the person is removed', async () => {
    const port = await freePort()
    const origin = `http://127.0.0.1:${port}`
    const workspace = await openWorkspace({ file: { console: { port } } })
    const worker = workspace.start(['start', ...config, '--only', 'console,sweep'])
    await worker.waitForOutput(`console at ${origin}`)
    const added = await workspace.run(user('add', 'ada', '--role', 'operator', '--by', 'margaret'))
    expect(added).toMatchObject({ code: 0, stderr: expect.stringContaining('once, within an hour') })
    const link = new URL(added.stdout.trim())
    expect(link.origin).toBe(origin)
    const again = 'twelve bicycles and a kite'
    const entered = await fetch(`${origin}/welcome`, {
      ...{ method: 'POST', redirect: 'manual', headers: { origin } },
      body: new URLSearchParams({ link: link.searchParams.get('link') ?? '', password: again, again }),
    })
    const cookie = entered.headers.get('set-cookie')?.split(';')[0] ?? ''
    const status = async () => (await fetch(`${origin}/`, { headers: { cookie }, redirect: 'manual' })).status
    expect([entered.status, await status()]).toEqual([303, 200])
    expect((await workspace.run(user('list'))).stdout).toMatch(
      /^ada {2}operator; has a password; added by margaret at /,
    )
    const signOut = () => workspace.run(['console', 'sign-out', 'ada', '--by', 'margaret', ...config])
    expect((await signOut()).stderr).toContain('1 session of ada ended.')
    expect([await status(), (await signOut()).code]).toEqual([303, 2])
    expect((await workspace.run(user('remove', 'ada'))).stderr).toContain('every session of ada has ended')
    expect(await status()).toBe(303)
    expect((await workspace.run(user('list'))).stdout).toContain('No local user may sign in.')
    worker.signal('SIGTERM')
    expect((await worker.ended).code).toBe(0)
  })

  test('refuses what would let in nobody, or too many', async () => {
    const workspace = await openWorkspace({ file: { console: {} } })
    const refusals = [
      [user('add', 'ada', '--role', 'admin'), 'admin is not a role. Use viewer, registrar, operator.'],
      [
        user('add', 'ada', '--role', 'registrar'),
        'A registrar sees only its own pipelines. Name them: --pipelines spring',
      ],
      [user('add', 'ada', '--role', 'operator', '--pipelines', 'spring'), 'An operator sees all pipelines.'],
      [user('add', 'ada', '--role', 'viewer', '--pipelines', 'autumn'), 'has no pipeline autumn. It has: spring.'],
      [user('add', '<b>', '--role', 'viewer'), 'A name has up to 100 letters'],
      [user('remove', 'ada'), 'ada is not a local user of the console.'],
    ] as const
    for (const [argv, sentence] of refusals) {
      const { code, stderr } = await workspace.run(argv)
      expect([code, stderr]).toEqual([2, expect.stringContaining(sentence)])
    }
  })

  test('belongs to a console that is configured', async () => {
    const workspace = await openWorkspace()
    const started = await workspace.run(['start', ...config, '--only', 'console'])
    expect([started.code, started.stderr]).toEqual([2, expect.stringContaining('has no `console`')])
    const added = await workspace.run(user('add', 'ada', '--role', 'viewer'))
    expect(added.stderr).toContain('The configuration has no `console` yet')
  })
})

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
