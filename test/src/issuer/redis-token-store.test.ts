// What the token's store in Redis has to hold beyond the suite for both: leases, seals, an emptied Redis.

import { expect, test } from 'vitest'
import { openRedisTokenStore } from '#src/issuer/redis-token-store.ts'
import { openTokenSeal } from '#src/issuer/token-seal.ts'
import type { Taken } from '#src/issuer/token-store.ts'
import { Secret } from '#src/secret/secret.ts'
import { systemClock } from '#src/time/clock.ts'
import { describeWithRedis } from '#test/support/redis.ts'
import { until } from '#test/support/until.ts'
import { accessOf, account, connected, openRedisStore, pair, turnOf } from './token-stores.ts'

describeWithRedis('the token store in Redis', ({ url }) => {
  const opened = (whose = account(), leaseMs = 5_000) => openRedisStore(url, whose, leaseMs)

  test('a turn that nobody keeps up lapses, and what its holder puts late changes nothing', async () => {
    const { store } = await opened(account(), 700)
    const [frozen, other] = [store(), store()]
    const late = turnOf(await frozen.take(null))
    const beganMs = systemClock.monotonicMs()
    let second: Taken = { kind: 'wait' }
    await until('the turn', async () => {
      second = await other.take(null)
      return second.kind === 'turn'
    })
    expect(systemClock.monotonicMs() - beganMs).toBeLessThan(2_000)
    expect(await late.put(pair('late'))).toBe(false)
    await late.giveUp()
    expect(accessOf(await frozen.take(null))).toBe('wait')
    expect(await turnOf(second).put(pair('2'))).toBe(true)
    expect(await late.put(pair('later'))).toBe(false)
    expect(accessOf(await frozen.take(null))).toBe('access-2')
    expect(turnOf(await frozen.take(turnOf(second).made)).refresh).toBe('refresh-2')
  })

  test('a turn that is kept up outlives its lease', async () => {
    const { store } = await opened(account(), 600)
    const turn = turnOf(await store().take(null))
    const beganMs = systemClock.monotonicMs()
    await until('two leases', async () => {
      await turn.keepUp()
      expect(accessOf(await store().take(null))).toBe('wait')
      return systemClock.monotonicMs() - beganMs > 1_300
    })
    expect(await turn.put(pair('1'))).toBe(true)
  })

  test('what comes late is good when nobody had the turn since', async () => {
    const { store, command } = await opened(account(), 5_000)
    const turn = turnOf(await store().take(null))
    await command(`return redis.call('HSET', KEYS[1], 'until', 1)`)
    expect(await turn.put(pair('1'))).toBe(true)
    expect(accessOf(await store().take(null))).toBe('access-1')
  })

  test('a turn that would hold for hours, by a clock that jumped, is none', async () => {
    const { store, command } = await opened()
    turnOf(await store().take(null))
    await command(`return redis.call('HSET', KEYS[1], 'until', redis.call('TIME')[1] * 1000 + 3600000)`)
    expect(accessOf(await store().take(null))).toBe('turn')
  })

  test('emptied in the middle of a turn, it takes what comes unless somebody was faster', async () => {
    const { store, command } = await opened()
    const first = turnOf(await store().take(null))
    await command(`return redis.call('DEL', KEYS[1])`)
    expect(await first.put(pair('1'))).toBe(true)
    const second = turnOf(await store().take(first.made))
    await command(`return redis.call('DEL', KEYS[1])`)
    const third = turnOf(await store().take(first.made))
    expect(await second.put(pair('2'))).toBe(false)
    expect(await third.put(pair('3'))).toBe(true)
    expect(accessOf(await store().take(null))).toBe('access-3')
  })

  test.each([
    ['secret', { secret: new Secret('another') }],
    ['key', { key: new Secret('another') }],
    ['service', { baseUrl: 'https://other.example/here' }],
  ])('another %s finds nothing, and cannot open what is laid under its own name', async (_what, change) => {
    const whose = account()
    const [ours, other] = [await opened(whose), await opened({ ...whose, ...change })]
    expect(other.name).not.toBe(ours.name)
    const turn = turnOf(await ours.store().take(null))
    await turn.put(pair('1'))
    expect(accessOf(await other.store().take(null))).toBe('turn')
    const copy = `redis.call('DEL', ARGV[1]); return redis.call('COPY', KEYS[1], ARGV[1])`
    expect(await ours.command(copy, other.name)).toBe(1)
    expect(turnOf(await other.store().take(null)).refresh).toBeNull()
  })

  test('a value that was changed, or stands in the place of another, is absent', async () => {
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

  test('an older value in the place of a newer one is absent', async () => {
    const { store, command } = await opened()
    const first = turnOf(await store().take(null))
    await first.put(pair('1'))
    const older = String(await command(`return redis.call('HGET', KEYS[1], 'access')`))
    const second = turnOf(await store().take(first.made))
    await second.put(pair('2'))
    await command(`return redis.call('HSET', KEYS[1], 'access', ARGV[1])`, older)
    expect(turnOf(await store().take(null)).refresh).toBe('refresh-2')
  })

  test('nothing of it can be read in Redis, and all of it goes by itself', async () => {
    const whose = account()
    const { store, command } = await opened(whose)
    await turnOf(await store().take(null)).put(pair('1'))
    const all = JSON.stringify([
      await command(`return redis.call('HGETALL', KEYS[1])`),
      await command(`return redis.call('KEYS', '*')`),
    ])
    expect(all).toContain(openTokenSeal(whose).name)
    expect(all).not.toMatch(/planted|service\.example|access-1|refresh-1/)
    const lives = Number(await command(`return redis.call('PTTL', KEYS[1])`))
    expect(lives / 86_400_000).toBeCloseTo(30, 1)
  })

  test('a Redis that is away, or answers nonsense, is told once and breaks nothing', async () => {
    const whose = account()
    const redis = await connected(url)
    const told: string[] = []
    const store = openRedisTokenStore({
      ...whose,
      run: redis.run.bind(redis),
      clock: systemClock,
      onFault: (...words) => void told.push(words.join(' ')),
    })
    const turn = turnOf(await store.take(null))
    const name = `credsync:token:${openTokenSeal(whose).name}`
    await redis.run({ name: 'test', lua: `return redis.call('SET', KEYS[1], 'x')` }, [name], [])
    expect(accessOf(await store.take(null))).toBe('away')
    redis.close()
    expect(accessOf(await store.take(null))).toBe('away')
    expect(await turn.put(pair('1'))).toBe(false)
    await turn.keepUp()
    await turn.giveUp()
    expect(told).toEqual(['shared token RedisRefusedError (WRONGTYPE)'])
  })
})
