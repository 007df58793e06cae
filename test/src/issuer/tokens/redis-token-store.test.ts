// The token store in Redis, beyond the suite that both stores share: leases, seals, an emptied Redis.

import { expect, test } from 'vitest'
import { openRedisTokenStore, openTokenSeal } from '#src/issuer/tokens/redis-token-store.ts'
import type { TakeResult } from '#src/issuer/tokens/token-store.ts'
import { Secret } from '#src/platform/secret.ts'
import { systemClock } from '#src/platform/time/clock.ts'
import { describeWithRedis } from '#test/support/describe-with-redis.ts'
import { until } from '#test/support/until.ts'
import { accessOf, account, connected, openRedisStore, pair, turnOf } from '../token-stores.ts'

describeWithRedis('the token store in Redis', ({ url }) => {
  const opened = (owner = account(), leaseMs = 5_000) => openRedisStore(url, owner, leaseMs)

  test('lets a turn expire that is not extended, and ignores a late write by its holder', async () => {
    const { store } = await opened(account(), 700)
    const [slow, other] = [store(), store()]
    const late = turnOf(await slow.take(null))
    let second: TakeResult = { kind: 'wait' }
    await until('the turn', async () => {
      second = await other.take(null)
      return second.kind === 'turn'
    })
    expect(await late.put(pair('late'))).toBe(false)
    await late.giveUp()
    expect(accessOf(await slow.take(null))).toBe('wait')
    expect(await turnOf(second).put(pair('2'))).toBe(true)
    expect(await late.put(pair('later'))).toBe(false)
    expect(accessOf(await slow.take(null))).toBe('access-2')
    expect(turnOf(await slow.take(turnOf(second).turnId)).refresh).toBe('refresh-2')
  })

  test('keeps a turn for longer than the lease while it is extended', async () => {
    const { store } = await opened(account(), 600)
    const turn = turnOf(await store().take(null))
    const startedMs = systemClock.monotonicMs()
    await until('two leases', async () => {
      await turn.lease?.extend()
      expect(accessOf(await store().take(null))).toBe('wait')
      return systemClock.monotonicMs() - startedMs > 1_300
    })
    expect(await turn.put(pair('1'))).toBe(true)
  })

  test('accepts a late write if no one has taken the turn since', async () => {
    const { store, command } = await opened(account(), 5_000)
    const turn = turnOf(await store().take(null))
    await command(`return redis.call('HSET', KEYS[1], 'until', 1)`)
    expect(await turn.put(pair('1'))).toBe(true)
    expect(accessOf(await store().take(null))).toBe('access-1')
  })

  test('ignores a turn that would last for hours because a clock jumped', async () => {
    const { store, command } = await opened()
    turnOf(await store().take(null))
    await command(`return redis.call('HSET', KEYS[1], 'until', redis.call('TIME')[1] * 1000 + 3600000)`)
    expect(accessOf(await store().take(null))).toBe('turn')
  })

  test('accepts the result of a renewal during which it was emptied, unless another process was faster', async () => {
    const { store, command } = await opened()
    const first = turnOf(await store().take(null))
    await command(`return redis.call('DEL', KEYS[1])`)
    expect(await first.put(pair('1'))).toBe(true)
    const second = turnOf(await store().take(first.turnId))
    await command(`return redis.call('DEL', KEYS[1])`)
    const third = turnOf(await store().take(first.turnId))
    expect(await second.put(pair('2'))).toBe(false)
    expect(await third.put(pair('3'))).toBe(true)
    expect(accessOf(await store().take(null))).toBe('access-3')
  })

  test.each([
    ['secret', { secret: new Secret('another') }],
    ['key', { key: new Secret('another') }],
    ['service', { baseUrl: 'https://other.example/here' }],
  ])('with another %s finds nothing, and cannot open a value that was copied to its key', async (_what, change) => {
    const owner = account()
    const [ours, other] = [await opened(owner), await opened({ ...owner, ...change })]
    expect(other.name).not.toBe(ours.name)
    const turn = turnOf(await ours.store().take(null))
    await turn.put(pair('1'))
    expect(accessOf(await other.store().take(null))).toBe('turn')
    const copy = `redis.call('DEL', ARGV[1]); return redis.call('COPY', KEYS[1], ARGV[1])`
    expect(await ours.command(copy, other.name)).toBe(1)
    expect(turnOf(await other.store().take(null)).refresh).toBeNull()
  })

  test('treats a value that was changed or moved to another key as absent', async () => {
    const { store, command } = await opened()
    const first = turnOf(await store().take(null))
    await first.put(pair('1'))
    await command(`return redis.call('HSET', KEYS[1], 'access', redis.call('HGET', KEYS[1], 'refresh'))`)
    expect(turnOf(await store().take(null)).refresh).toBe('refresh-1')
    const second = await opened()
    await turnOf(await second.store().take(null)).put(pair('1'))
    await second.command(`return redis.call('HSET', KEYS[1], 'access', 'x', 'refresh', '')`)
    expect(turnOf(await second.store().take(null)).refresh).toBeNull()
  })

  test('treats an older value that replaces a newer one as absent', async () => {
    const { store, command } = await opened()
    const first = turnOf(await store().take(null))
    await first.put(pair('1'))
    const older = String(await command(`return redis.call('HGET', KEYS[1], 'access')`))
    const second = turnOf(await store().take(first.turnId))
    await second.put(pair('2'))
    await command(`return redis.call('HSET', KEYS[1], 'access', ARGV[1])`, older)
    expect(turnOf(await store().take(null)).refresh).toBe('refresh-2')
  })

  test('stores nothing in readable form, and everything expires', async () => {
    const owner = account()
    const { store, command } = await opened(owner)
    await turnOf(await store().take(null)).put(pair('1'))
    const all = JSON.stringify([
      await command(`return redis.call('HGETALL', KEYS[1])`),
      await command(`return redis.call('KEYS', '*')`),
    ])
    expect(all).toContain(openTokenSeal(owner).name)
    expect(all).not.toMatch(/planted|service\.example|access-1|refresh-1/)
    const ttlMs = Number(await command(`return redis.call('PTTL', KEYS[1])`))
    expect(ttlMs / 86_400_000).toBeCloseTo(30, 1)
  })

  test('reports once that Redis is unavailable or gives invalid answers, and does not throw', async () => {
    const owner = account()
    const redis = await connected(url)
    const reported: string[] = []
    const store = openRedisTokenStore({
      ...owner,
      run: redis.run.bind(redis),
      clock: systemClock,
      onFault: (...fault) => void reported.push(fault.join(' ')),
    })
    const turn = turnOf(await store.take(null))
    const name = `credsync:token:${openTokenSeal(owner).name}`
    await redis.run({ name: 'test', lua: `return redis.call('SET', KEYS[1], 'x')` }, [name], [])
    expect(accessOf(await store.take(null))).toBe('unavailable')
    redis.close()
    expect(accessOf(await store.take(null))).toBe('unavailable')
    expect(await turn.put(pair('1'))).toBe(false)
    await turn.lease?.extend()
    await turn.giveUp()
    expect(reported).toEqual(['shared token RedisRefusedError (WRONGTYPE)'])
  })
})
