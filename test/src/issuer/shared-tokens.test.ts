// Several clients with one token between them: in one process over one store, so that time can be made to pass.

import { randomUUID } from 'node:crypto'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type Issuer, openIssuer } from '#src/issuer/issuer.ts'
import { KeysRefusedError } from '#src/issuer/keys-refused-error.ts'
import { openLocalTokenStore } from '#src/issuer/local-token-store.ts'
import { openRedisTokenStore } from '#src/issuer/redis-token-store.ts'
import type { TokenStore } from '#src/issuer/token-store.ts'
import { openRedis } from '#src/redis/open-redis.ts'
import { openSandbox } from '#src/sandbox/open-sandbox.ts'
import { Secret } from '#src/secret/secret.ts'
import { systemClock } from '#src/time/clock.ts'
import { cuttableProxy } from '#test/src/queue/cuttable-proxy.ts'
import { openGate } from '#test/support/open-gate.ts'
import { describeWithRedis } from '#test/support/redis.ts'
import { envelope, json, raw, type SeenRequest } from '#test/support/scripted-server.ts'
import { until } from '#test/support/until.ts'
import { type Bench, openBench, refreshPath, tokenPath } from './bench.ts'

const minutes = 60_000
const detail = '/course/detail'
const revoke = '/revoke'
const course = envelope({ data: { course_uuid: 'c' } })

const tokenOf = ({ headers }: SeenRequest) => String(headers.authorization).replace('Bearer ', '')
const tokensUsed = ({ server }: Bench) => server.requests(detail).map(tokenOf)
const tokenCalls = ({ server }: Bench) => [tokenPath, refreshPath].map((path) => server.requests(path).length)
const clientsOf = (bench: Bench, store: TokenStore) => Array.from({ length: 4 }, () => bench.client(store))
const allRead = (clients: Issuer[]) => Promise.all(clients.map((each) => each.courseDetail('c')))

async function openWithCourse(): Promise<Bench> {
  const bench = await openBench()
  bench.server.on(detail, course)
  bench.server.on(revoke, envelope({}))
  return bench
}

describe('clients with one store', () => {
  test('that begin at the same time make one token call', async () => {
    await using bench = await openWithCourse()
    await allRead(clientsOf(bench, openLocalTokenStore()))
    expect(tokenCalls(bench)).toEqual([1, 0])
    expect(new Set(tokensUsed(bench))).toEqual(new Set(['access-1']))
  })

  test('renew it once ahead of time, and those who wait for that go on with the old one', async () => {
    await using bench = await openWithCourse()
    const [first, ...others] = clientsOf(bench, openLocalTokenStore()) as [Issuer, ...Issuer[]]
    await allRead([first, ...others])
    bench.age(26 * minutes)
    // The renewal does not end before the others have read.
    let renew = () => {}
    const renewing = new Promise<void>((resolve) => {
      bench.server.on(refreshPath, async (...args) => {
        resolve()
        await new Promise<void>((go) => {
          renew = go
        })
        envelope({ accessToken: 'access-2', refreshToken: 'refresh-2' })(...args)
      })
    })
    const slow = first.courseDetail('c')
    await renewing
    await allRead(others)
    await Promise.all(others.map((each) => each.revokeCredential('1')))
    renew()
    await slow
    // What serves while somebody renews does not serve for long.
    bench.age(3_000)
    await allRead(others)
    expect(tokenCalls(bench)).toEqual([1, 1])
    expect(tokensUsed(bench).slice(4)).toEqual([...Array(3).fill('access-1'), ...Array(4).fill('access-2')])
    expect(new Set(bench.server.requests(revoke).map(tokenOf))).toEqual(new Set(['access-1']))
  })

  test('that come late renew a token of which little is left', async () => {
    await using bench = await openWithCourse()
    const store = openLocalTokenStore()
    await bench.client(store).courseDetail('c')
    bench.age(26 * minutes)
    await allRead(clientsOf(bench, store))
    expect(tokenCalls(bench)).toEqual([1, 1])
  })

  test('whose token is refused renew it once, and each repeats its call once', async () => {
    await using bench = await openWithCourse()
    const clients = clientsOf(bench, openLocalTokenStore())
    await allRead(clients)
    bench.server.on(detail, (seen, ...rest) =>
      (tokenOf(seen) === 'access-1' ? json(401, { status: 401 }) : course)(seen, ...rest),
    )
    await allRead(clients)
    expect(tokenCalls(bench)).toEqual([1, 1])
    expect(tokensUsed(bench).slice(4).sort()).toEqual([...Array(4).fill('access-1'), ...Array(4).fill('access-2')])
  })

  test('do not wait for ever for one that renews and renews', async () => {
    await using bench = await openWithCourse()
    const store = openLocalTokenStore()
    expect((await store.take(null)).kind).toBe('turn')
    const reading = bench.client(store).courseDetail('c')
    bench.age(44_000)
    await until('patience', () => bench.waits.length > 20)
    expect(tokenCalls(bench)).toEqual([0, 0])
    bench.age(2_000)
    await reading
    expect(tokenCalls(bench)).toEqual([1, 0])
  })

  test('never use a refresh token twice, also when its first use came to nothing', async () => {
    await using bench = await openWithCourse()
    const clients = clientsOf(bench, openLocalTokenStore())
    await allRead(clients)
    bench.server.on(refreshPath, raw(503, ''))
    bench.server.on(tokenPath, raw(503, ''))
    bench.age(26 * minutes)
    // Nobody can renew, and the old token does for reads.
    await allRead(clients)
    bench.age(3_000)
    await allRead(clients)
    bench.server.on(tokenPath, envelope({ accessToken: 'access-9', refreshToken: 'refresh-9' }))
    bench.age(3_000)
    await allRead(clients)
    expect(bench.server.requests(refreshPath).map((each) => JSON.parse(each.body))).toEqual([
      { refreshToken: 'refresh-1' },
    ])
    bench.age(3_000)
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

  test('wait for one that is slow, for as long as it lives', async () => {
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

  test('and another secret neither get the token of the others nor spoil it', async () => {
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

  async function openAway() {
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
    const mend = async () => {
      await proxy.mend()
      await until('the connection', () => redis.up())
    }
    return Object.assign(bench, { another: () => bench.client(store), cut, mend })
  }

  test('keep what they hold while Redis is away, as long as it lives, and then get their own', async () => {
    await using bench = await openAway()
    const [one, other] = [bench.another(), bench.another()]
    await allRead([one, other])
    await bench.cut()
    bench.age(29 * minutes)
    await allRead([one, other])
    await one.revokeCredential('1')
    expect(tokenCalls(bench)).toEqual([1, 0])
    expect(new Set(bench.server.requests(revoke).map(tokenOf))).toEqual(new Set(['access-1']))
    // Less than half a minute is left: each waits some seconds for Redis, and signs in by itself.
    bench.age(40_000)
    const reads = allRead([one, other])
    bench.age(6_000)
    await reads
    expect(tokenCalls(bench)).toEqual([3, 0])
    expect(new Set(tokensUsed(bench).slice(-2))).toEqual(new Set(['access-2', 'access-3']))
    await allRead([one, other])
    expect(tokenCalls(bench)).toEqual([3, 0])
  })

  test('leave a token that they got by themselves to the others, once Redis is back', async () => {
    await using bench = await openAway()
    const [one, other] = [bench.another(), bench.another()]
    await bench.cut()
    bench.server.on(tokenPath, async (...args) => {
      await bench.mend()
      envelope({ accessToken: 'access-alone', refreshToken: 'refresh-alone' })(...args)
    })
    const reading = one.courseDetail('c')
    bench.age(6_000)
    await reading
    await other.courseDetail('c')
    expect(tokenCalls(bench)).toEqual([1, 0])
    expect(new Set(tokensUsed(bench))).toEqual(new Set(['access-alone']))
  })
})
