// The shared token with real processes, which are killed and frozen, and a Redis that is emptied.

import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { usualLeaseMs } from '#src/issuer/token-store.ts'
import { openSandbox } from '#src/sandbox/open-sandbox.ts'
import { systemClock } from '#src/time/clock.ts'
import { describeWithRedis } from '#test/support/redis.ts'
import { startRedis } from '#test/support/redis-server.ts'
import { envelope, json, openScriptedServer, type Script, type ScriptedServer } from '#test/support/scripted-server.ts'
import { until } from '#test/support/until.ts'
import { refreshPath } from './bench.ts'

// Short where a test waits for its end, and where nobody may lose a turn as long as it usually is.
const shortMs = 1_000
const detail = '/course/detail'
const course = envelope({ data: { course_name: 'Welding' } })

interface Place {
  url: string
  key: string
  secret: string
  redisUrl: string
}

interface Child {
  /** Answers `read` or the name of an error. */
  read(): Promise<string>
  signal(name: NodeJS.Signals): void
}

async function startChild(name: string, { url, key, secret, redisUrl }: Place, leaseMs = usualLeaseMs): Promise<Child> {
  const script = join(import.meta.dirname, 'token-child.ts')
  const child = spawn(process.execPath, [script, name, url, key, secret, redisUrl, String(leaseMs)], {
    stdio: ['pipe', 'pipe', 'inherit'],
    // A start costs a third of the time.
    env: { ...process.env, NODE_COMPILE_CACHE: join(import.meta.dirname, '../../../node_modules/.cache/credsync') },
  })
  onTestFinished(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  expect((await lines.next()).value).toBe('up')
  return {
    async read() {
      child.stdin.write('\n')
      return (await lines.next()).value ?? 'gone'
    },
    signal: (each) => void child.kill(each),
  }
}

/** A service that gives tokens 1, 2, 3 …; `held` are answers to token calls that wait until a test gives them. */
async function openService(): Promise<{ server: ScriptedServer; held: (() => void)[]; hold: (most: number) => void }> {
  const server = await openScriptedServer()
  onTestFinished(() => server.close())
  let born = 0
  let toHold = 0
  const held: (() => void)[] = []
  server.on(detail, course)
  const answer: Script = (...args) => {
    born += 1
    const give = envelope({ accessToken: `access-${born}`, refreshToken: `refresh-${born}` })
    if (toHold === 0) return give(...args)
    toHold -= 1
    held.push(() => give(...args))
  }
  server.on('/entityaccess/', answer)
  return {
    server,
    held,
    hold: (most) => {
      toHold = most
    },
  }
}

const placeAt = (server: ScriptedServer, redisUrl: string): Place => ({
  url: server.url,
  key: randomUUID(),
  secret: 'the-secret',
  redisUrl,
})

const readsOf = (server: ScriptedServer, name: string) =>
  server
    .requests(detail)
    .filter(({ path, body }) => `${path} ${body}`.includes(name))
    .map(({ headers }) => String(headers.authorization).replace('Bearer ', ''))

describeWithRedis('processes with one token', ({ url: redisUrl }) => {
  test('eight that begin at once make one token call, and one refresh when it is refused to them all', async () => {
    const sandbox = await openSandbox({ key: randomUUID() }, systemClock)
    onTestFinished(() => sandbox.close())
    const { url, key, secret } = sandbox
    const uuid = sandbox.courses[0]?.uuid ?? ''
    const place = { url, key, secret, redisUrl }
    const children = await Promise.all(Array.from({ length: 8 }, () => startChild(uuid, place)))
    const allRead = () => Promise.all(children.map((each) => each.read()))
    expect(await allRead()).toEqual(Array(8).fill('read'))
    expect(sandbox.journal()).toMatchObject({ tokens: 1, refreshes: 0, throttled: 0 })
    // The next call of each is refused, and the next token is good for one of each.
    sandbox.misbehave({ tokens: { uses: 8 }, reuseEndsSession: true })
    expect(await allRead()).toEqual(Array(8).fill('read'))
    expect(sandbox.journal()).toMatchObject({ tokens: 1, refreshes: 1, throttled: 0 })
    const calls = Object.entries(sandbox.journal().calls).filter(([endpoint]) => endpoint.includes('/entityaccess/'))
    expect(calls.map(([, count]) => count)).toEqual([1, 1])
  })

  test('one that is killed while it renews delays the others by no more than the lease, and takes the refresh token with it', async () => {
    const { server, held, hold } = await openService()
    const place = placeAt(server, redisUrl)
    const [dead, living] = await Promise.all([startChild('dead', place, shortMs), startChild('living', place, shortMs)])
    expect([await dead.read(), await living.read()]).toEqual(['read', 'read'])
    server.on(detail, (seen, ...rest) =>
      (seen.headers.authorization === 'Bearer access-1' ? json(401, {}) : course)(seen, ...rest),
    )
    hold(1)
    void dead.read()
    await until('the refresh', () => held.length === 1)
    const killedMs = systemClock.monotonicMs()
    dead.signal('SIGKILL')
    expect(await living.read()).toBe('read')
    expect(systemClock.monotonicMs() - killedMs).toBeLessThan(shortMs + 4_000)
    const ways = server.requests('/entityaccess/').map(({ path }) => (path.includes(refreshPath) ? 'refresh' : 'keys'))
    expect(ways).toEqual(['keys', 'refresh', 'keys'])
    expect(readsOf(server, 'living')).toEqual(['access-1', 'access-1', 'access-3'])
  })

  test('one that was frozen while it renewed puts nothing over the newer token', async () => {
    const { server, held, hold } = await openService()
    const place = placeAt(server, redisUrl)
    const [frozen, other] = await Promise.all([
      startChild('frozen', place, shortMs),
      startChild('other', place, shortMs),
    ])
    hold(1)
    const late = frozen.read()
    await until('the token call', () => held.length === 1)
    frozen.signal('SIGSTOP')
    expect(await other.read()).toBe('read')
    held[0]?.()
    frozen.signal('SIGCONT')
    expect(await late).toBe('read')
    const third = await startChild('third', place, shortMs)
    expect(await third.read()).toBe('read')
    expect(readsOf(server, 'frozen')).toEqual(['access-1'])
    expect(readsOf(server, 'third')).toEqual(['access-2'])
    expect(server.requests('/entityaccess/')).toHaveLength(2)
  })

  test('an emptied Redis takes nothing from those who run, and costs one call for those who come', async () => {
    const redis = await startRedis()
    if (!redis) throw new Error('CREDSYNC_TEST_REDIS is set but there is no redis-server on the PATH.')
    onTestFinished(() => redis.stop())
    const { server } = await openService()
    const place = placeAt(server, redis.url)
    const before = await startChild('before', place)
    expect(await before.read()).toBe('read')
    await redis.stop()
    expect(await before.read()).toBe('read')
    await redis.startAgain()
    const after = await Promise.all([startChild('after-1', place), startChild('after-2', place)])
    expect(await Promise.all([before, ...after].map((each) => each.read()))).toEqual(['read', 'read', 'read'])
    expect(readsOf(server, 'before')).toEqual(Array(3).fill('access-1'))
    expect([...readsOf(server, 'after-1'), ...readsOf(server, 'after-2')]).toEqual(['access-2', 'access-2'])
    expect(server.requests('/entityaccess/')).toHaveLength(2)
  })
})
