// Several clients share one token: in one process, with one store and a clock that the tests advance.

import { randomUUID } from 'node:crypto'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openSandbox } from '#sandboxes/service/open-sandbox.ts'
import { type Issuer, openIssuer } from '#src/issuer/issuer.ts'
import { openLocalTokenStore } from '#src/issuer/tokens/local-token-store.ts'
import { openRedisTokenStore } from '#src/issuer/tokens/redis-token-store.ts'
import { KeysRefusedError } from '#src/issuer/tokens/token-calls.ts'
import type { TokenStore } from '#src/issuer/tokens/token-store.ts'
import { openRedis } from '#src/platform/redis/open-redis.ts'
import { Secret } from '#src/platform/secret.ts'
import { systemClock } from '#src/platform/time/clock.ts'
import { cuttableProxy } from '#test/src/platform/queue/cuttable-proxy.ts'
import { describeWithRedis } from '#test/support/describe-with-redis.ts'
import { openGate } from '#test/support/open-gate.ts'
import { envelope, raw, type SeenRequest } from '#test/support/scripted-server.ts'
import { until } from '#test/support/until.ts'
import { type Bench, openBench, refreshPath, tokenPath } from './client-bench.ts'

const minutes = 60_000
const detail = '/course/detail'
const revoke = '/revoke'
const course = envelope({ data: { course_uuid: 'c' } })

const tokenOf = ({ headers }: SeenRequest) => String(headers.authorization).replace('Bearer ', '')
const tokensUsed = ({ server }: Bench) => server.requests(detail).map(tokenOf)
const tokenCalls = ({ server }: Bench) => [tokenPath, refreshPath].map((path) => server.requests(path).length)
const clientsOf = (bench: Bench, store: TokenStore) => Array.from({ length: 4 }, () => bench.client(store))
const allRead = (clients: Issuer[]) => Promise.all(clients.map((client) => client.courseDetail('c')))

async function openWithCourse(): Promise<Bench> {
  const bench = await openBench()
  bench.server.on(detail, course)
  bench.server.on(revoke, envelope({}))
  return bench
}

describe('clients with one store', () => {
  test('never use a refresh token twice, even if its first use failed', async () => {
    await using bench = await openWithCourse()
    const clients = clientsOf(bench, openLocalTokenStore())
    await allRead(clients)
    bench.server.on(refreshPath, raw(503, ''))
    bench.server.on(tokenPath, raw(503, ''))
    bench.advanceClock(26 * minutes)
    // No client can renew the token, and the old one is sufficient for reads.
    await allRead(clients)
    bench.advanceClock(3_000)
    await allRead(clients)
    bench.server.on(tokenPath, envelope({ accessToken: 'access-9', refreshToken: 'refresh-9' }))
    bench.advanceClock(3_000)
    await allRead(clients)
    expect(bench.server.requests(refreshPath).map((request) => JSON.parse(request.body))).toEqual([
      { refreshToken: 'refresh-1' },
    ])
    bench.advanceClock(3_000)
    await allRead(clients)
    expect(tokensUsed(bench).slice(-4)).toEqual(Array(4).fill('access-9'))
  })
})

describeWithRedis('clients with one store in Redis', ({ url }) => {
  async function connected(address = url) {
    const redis = await openRedis({ url: address })
    onTestFinished(() => redis.close())
    return redis
  }

  test('wait for a slow renewal as long as its process extends the lease', async () => {
    await using bench = await openWithCourse()
    const leaseMs = 900
    const account = { baseUrl: bench.server.url, key: new Secret(randomUUID()), secret: new Secret('s') }
    const redis = await connected()
    const storeOf = () => openRedisTokenStore({ ...account, run: redis.run.bind(redis), clock: systemClock, leaseMs })
    bench.server.on(tokenPath, async (...args) => {
      await systemClock.sleep(2.2 * leaseMs)
      envelope({ accessToken: 'access-1', refreshToken: 'refresh-1' })(...args)
    })
    await allRead([bench.client(storeOf()), bench.client(storeOf()), bench.client(storeOf())])
    expect(tokenCalls(bench)).toEqual([1, 0])
  })

  test('but with another secret neither get the others’ token nor invalidate it', async () => {
    const clock = systemClock
    const sandbox = await openSandbox({ key: randomUUID() }, clock)
    const redis = await connected()
    const clientWith = (secret: string) => {
      const account = { baseUrl: sandbox.url, key: new Secret(sandbox.key), secret: new Secret(secret) }
      const tokenStore = openRedisTokenStore({ ...account, run: redis.run.bind(redis), clock })
      const issuer = openIssuer({
        ...account,
        gates: { gate: openGate, auth: openGate() },
        clock,
        random: () => 0,
        tokenStore,
      })
      onTestFinished(() => issuer.close())
      return issuer
    }
    onTestFinished(() => sandbox.close())
    await clientWith(sandbox.secret).checkToken()
    await expect(clientWith('wrong').checkToken()).rejects.toBeInstanceOf(KeysRefusedError)
    await clientWith(sandbox.secret).checkToken()
    expect(sandbox.journal()).toMatchObject({ tokens: 1, refreshes: 0 })
  })

  async function openWithCuttableRedis() {
    const bench = await openWithCourse()
    const proxy = await cuttableProxy(url)
    onTestFinished(() => proxy.close())
    const redis = await connected(proxy.url)
    const account = { baseUrl: bench.server.url, key: new Secret(randomUUID()), secret: new Secret('s') }
    const store = openRedisTokenStore({ ...account, run: redis.run.bind(redis), clock: bench.clock })
    const cut = async () => {
      await proxy.cut()
      await until('the loss of the connection', () => !redis.up())
    }
    const restore = async () => {
      await proxy.restore()
      await until('the connection', () => redis.up())
    }
    return Object.assign(bench, { another: () => bench.client(store), cut, restore })
  }

  test('keep their token while Redis is unavailable until it is about to expire, and then each get a new one', async () => {
    await using bench = await openWithCuttableRedis()
    const [one, other] = [bench.another(), bench.another()]
    await allRead([one, other])
    await bench.cut()
    bench.advanceClock(29 * minutes)
    await allRead([one, other])
    await one.revokeCredential('1')
    expect(tokenCalls(bench)).toEqual([1, 0])
    expect(new Set(bench.server.requests(revoke).map(tokenOf))).toEqual(new Set(['access-1']))
    // Less than half a minute is left, so each client waits a few seconds for Redis and then signs in separately.
    bench.advanceClock(40_000)
    const reads = allRead([one, other])
    bench.advanceClock(6_000)
    await reads
    expect(tokenCalls(bench)).toEqual([3, 0])
    expect(new Set(tokensUsed(bench).slice(-2))).toEqual(new Set(['access-2', 'access-3']))
    await allRead([one, other])
    expect(tokenCalls(bench)).toEqual([3, 0])
  })

  test('share a token that one of them obtained alone, once Redis is available again', async () => {
    await using bench = await openWithCuttableRedis()
    const [one, other] = [bench.another(), bench.another()]
    await bench.cut()
    bench.server.on(tokenPath, async (...args) => {
      await bench.restore()
      envelope({ accessToken: 'access-alone', refreshToken: 'refresh-alone' })(...args)
    })
    const reading = one.courseDetail('c')
    bench.advanceClock(6_000)
    await reading
    await other.courseDetail('c')
    expect(tokenCalls(bench)).toEqual([1, 0])
    expect(new Set(tokensUsed(bench))).toEqual(new Set(['access-alone']))
  })
})
