// One suite for both stores of the token.

import { describe, expect, test } from 'vitest'
import { openLocalTokenStore } from '#src/issuer/local-token-store.ts'
import type { TokenStore } from '#src/issuer/token-store.ts'
import { systemClock } from '#src/time/clock.ts'
import { describeWithRedis } from '#test/support/redis.ts'
import { accessOf, openRedisStore, pair, turnOf } from './token-stores.ts'

/** `open` gives the store as two processes see it, and nobody else. */
function conform(open: () => Promise<[TokenStore, TokenStore]>): void {
  test('of many who ask an empty store one has the turn, and the others wait', async () => {
    const stores = await open()
    const taken = await Promise.all(Array.from({ length: 20 }, (_, i) => stores[i % 2]?.take(null)))
    expect(taken.map((each) => each?.kind).sort()).toEqual(['turn', ...Array(19).fill('wait')])
  })

  test('what was put is given to whoever knows another token or none, and a turn to who knows that one', async () => {
    const [one, other] = await open()
    const first = turnOf(await one.take(null))
    expect(await first.put(pair('1'))).toBe(true)
    expect(accessOf(await other.take(null))).toBe('access-1')
    expect(accessOf(await other.take('another'))).toBe('access-1')
    const second = turnOf(await other.take(first.made))
    expect(second.made).not.toBe(first.made)
    // It is being replaced, so nobody begins with it any more.
    expect(accessOf(await one.take(null))).toBe('wait')
    await second.put(pair('2'))
    expect(accessOf(await one.take(first.made))).toBe('access-2')
  })

  test('a refresh token leaves the store with the turn, and comes out once', async () => {
    const [one, other] = await open()
    const first = turnOf(await one.take(null))
    expect(first.refresh).toBeNull()
    await first.put(pair('1'))
    const second = turnOf(await other.take(first.made))
    expect(second.refresh).toBe('refresh-1')
    await second.giveUp()
    expect(turnOf(await one.take(first.made)).refresh).toBeNull()
  })

  test('a pair without a refresh token leaves none behind, not an older one either', async () => {
    const [one] = await open()
    const first = turnOf(await one.take(null))
    await first.put(pair('1'))
    const second = turnOf(await one.take(first.made))
    await second.put({ ...pair('2'), refresh: null })
    expect(turnOf(await one.take(second.made)).refresh).toBeNull()
  })

  test('a turn that is given up can be had at once, and the token is still there', async () => {
    const [one, other] = await open()
    const first = turnOf(await one.take(null))
    await first.put(pair('1'))
    await turnOf(await one.take(first.made)).giveUp()
    expect(accessOf(await other.take(null))).toBe('access-1')
    expect(accessOf(await other.take(first.made))).toBe('turn')
  })

  test('a token is never taken for younger than it is, nor for much older', async () => {
    const [one, other] = await open()
    const turn = turnOf(await one.take(null))
    const bornMs = systemClock.monotonicMs() - 7_000
    await turn.put(pair('1', bornMs))
    const taken = await other.take(null)
    const found = taken.kind === 'token' ? taken.token.bornMs : Number.NaN
    expect(found).toBeLessThanOrEqual(bornMs)
    expect(found).toBeGreaterThan(bornMs - 1_000)
  })
}

describe('a token store in memory', () => {
  conform(async () => {
    const store = openLocalTokenStore()
    return [store, store]
  })
})

describeWithRedis('a token store in Redis', ({ url }) => {
  conform(async () => {
    const { store } = await openRedisStore(url)
    return [store(), store()]
  })
})
