// The shared token with real processes that are killed or suspended, and with a Redis that is emptied.

import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Redis } from 'ioredis'
import { expect, onTestFinished, test } from 'vitest'
import { openSandbox } from '#sandboxes/service/open-sandbox.ts'
import { defaultLeaseMs } from '#src/issuer/tokens/token-store.ts'
import { systemClock } from '#src/platform/time/clock.ts'
import { describeWithRedis } from '#test/support/describe-with-redis.ts'
import { startRedis } from '#test/support/redis-server.ts'
import { envelope, json, openScriptedServer, type Script, type ScriptedServer } from '#test/support/scripted-server.ts'
import { until } from '#test/support/until.ts'
import { refreshPath } from './client-bench.ts'

// The lease in tests that wait until it ends; other tests use the default lease.
const shortLeaseMs = 1_000
const detail = '/course/detail'
const course = envelope({ data: { course_name: 'Welding' } })

interface Account {
  url: string
  key: string
  secret: string
  redisUrl: string
}

interface Child {
  /** Returns `read` or the name of an error. */
  read(): Promise<string>
  signal(name: NodeJS.Signals): void
}

async function startChild(
  name: string,
  { url, key, secret, redisUrl }: Account,
  leaseMs = defaultLeaseMs,
): Promise<Child> {
  const script = join(import.meta.dirname, 'token-child-process.ts')
  const child = spawn(process.execPath, [script, name, url, key, secret, redisUrl, String(leaseMs)], {
    stdio: ['pipe', 'pipe', 'inherit'],
    // With compiled code, a start takes a third of the time.
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

/**
 * A service that returns tokens 1, 2, 3 …; `hold` makes it hold back the next `count` answers to token calls, and each
 * function in `held` sends one of these answers.
 */
async function openService(): Promise<{ server: ScriptedServer; held: (() => void)[]; hold: (count: number) => void }> {
  const server = await openScriptedServer()
  onTestFinished(() => server.close())
  let tokenCount = 0
  let toHold = 0
  const held: (() => void)[] = []
  server.on(detail, course)
  const answer: Script = (...args) => {
    tokenCount += 1
    const sendTokens = envelope({ accessToken: `access-${tokenCount}`, refreshToken: `refresh-${tokenCount}` })
    if (toHold === 0) return sendTokens(...args)
    toHold -= 1
    held.push(() => sendTokens(...args))
  }
  server.on('/entityaccess/', answer)
  return {
    server,
    held,
    hold: (count) => {
      toHold = count
    },
  }
}

const accountAt = (server: ScriptedServer, redisUrl: string): Account => ({
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

/** Returns for how many more milliseconds the only renewal turn in this Redis is held, by the clock of Redis. */
async function turnRemainingMs(url: string): Promise<number> {
  const redis = new Redis(url)
  try {
    const [key = ''] = await redis.keys('credsync:token:*')
    const until = Number(await redis.hget(key, 'until'))
    const [seconds, micros] = await redis.time()
    return until - (Number(seconds) * 1_000 + Math.floor(Number(micros) / 1_000))
  } finally {
    redis.disconnect()
  }
}

describeWithRedis('processes with one token', ({ url: redisUrl }) => {
  test('make one token call if eight start together, and one refresh when the token is refused', async () => {
    const sandbox = await openSandbox({ key: randomUUID() }, systemClock)
    onTestFinished(() => sandbox.close())
    const { url, key, secret } = sandbox
    const uuid = sandbox.courses[0]?.uuid ?? ''
    const account = { url, key, secret, redisUrl }
    const children = await Promise.all(Array.from({ length: 8 }, () => startChild(uuid, account)))
    const allRead = () => Promise.all(children.map((child) => child.read()))
    expect(await allRead()).toEqual(Array(8).fill('read'))
    expect(sandbox.journal()).toMatchObject({ tokens: 1, refreshes: 0, throttled: 0 })
    // The next call of each process is refused, and the next token is valid for one call of each.
    sandbox.injectFaults({ tokens: { uses: 8 }, reuseEndsSession: true })
    expect(await allRead()).toEqual(Array(8).fill('read'))
    expect(sandbox.journal()).toMatchObject({ tokens: 1, refreshes: 1, throttled: 0 })
    const calls = Object.entries(sandbox.journal().calls).filter(([endpoint]) => endpoint.includes('/entityaccess/'))
    expect(calls.map(([, count]) => count)).toEqual([1, 1])
  })

  test('wait no longer than the lease if one is killed while it renews, and do not use its refresh token again', async () => {
    const { server, held, hold } = await openService()
    const ownRedis = await startRedis()
    if (!ownRedis) throw new Error('CREDSYNC_TEST_REDIS is set but there is no redis-server on the PATH.')
    onTestFinished(() => ownRedis.stop())
    const account = accountAt(server, ownRedis.url)
    const [killed, living] = await Promise.all([
      startChild('killed', account, shortLeaseMs),
      startChild('living', account, shortLeaseMs),
    ])
    expect([await killed.read(), await living.read()]).toEqual(['read', 'read'])
    server.on(detail, (seen, ...rest) =>
      (seen.headers.authorization === 'Bearer access-1' ? json(401, {}) : course)(seen, ...rest),
    )
    hold(1)
    void killed.read()
    await until('the refresh', () => held.length === 1)
    killed.signal('SIGKILL')
    expect(await turnRemainingMs(ownRedis.url)).toBeLessThanOrEqual(shortLeaseMs)
    expect(await living.read()).toBe('read')
    expect(await turnRemainingMs(ownRedis.url)).toBeLessThanOrEqual(0)
    const kindsOfCall = server
      .requests('/entityaccess/')
      .map(({ path }) => (path.includes(refreshPath) ? 'refresh' : 'keys'))
    expect(kindsOfCall).toEqual(['keys', 'refresh', 'keys'])
    expect(readsOf(server, 'living')).toEqual(['access-1', 'access-1', 'access-3'])
  })

  test('do not overwrite a newer token if one was suspended while it renewed', async () => {
    const { server, held, hold } = await openService()
    const account = accountAt(server, redisUrl)
    const [suspended, other] = await Promise.all([
      startChild('suspended', account, shortLeaseMs),
      startChild('other', account, shortLeaseMs),
    ])
    hold(1)
    const late = suspended.read()
    await until('the token call', () => held.length === 1)
    suspended.signal('SIGSTOP')
    expect(await other.read()).toBe('read')
    held[0]?.()
    suspended.signal('SIGCONT')
    expect(await late).toBe('read')
    const third = await startChild('third', account, shortLeaseMs)
    expect(await third.read()).toBe('read')
    expect(readsOf(server, 'suspended')).toEqual(['access-1'])
    expect(readsOf(server, 'third')).toEqual(['access-2'])
    expect(server.requests('/entityaccess/')).toHaveLength(2)
  })

  test('are not affected if Redis is emptied, and all new ones together make only one call', async () => {
    const redis = await startRedis()
    if (!redis) throw new Error('CREDSYNC_TEST_REDIS is set but there is no redis-server on the PATH.')
    onTestFinished(() => redis.stop())
    const { server } = await openService()
    const account = accountAt(server, redis.url)
    const before = await startChild('before', account)
    expect(await before.read()).toBe('read')
    await redis.stop()
    expect(await before.read()).toBe('read')
    await redis.startAgain()
    const after = await Promise.all([startChild('after-1', account), startChild('after-2', account)])
    expect(await Promise.all([before, ...after].map((each) => each.read()))).toEqual(['read', 'read', 'read'])
    expect(readsOf(server, 'before')).toEqual(Array(3).fill('access-1'))
    expect([...readsOf(server, 'after-1'), ...readsOf(server, 'after-2')]).toEqual(['access-2', 'access-2'])
    expect(server.requests('/entityaccess/')).toHaveLength(2)
  })
})
