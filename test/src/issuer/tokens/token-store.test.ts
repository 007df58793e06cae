// One suite that runs against both token stores.

import { describe, expect, test } from 'vitest'
import { openLocalTokenStore } from '#src/issuer/tokens/local-token-store.ts'
import type { TokenStore } from '#src/issuer/tokens/token-store.ts'
import { systemClock } from '#src/platform/time/clock.ts'
import { describeWithRedis } from '#test/support/describe-with-redis.ts'
import { accessOf, openRedisStore, pair, turnOf } from '../token-stores.ts'

/** @param open returns the store as two processes of one account see it */
function testStore(open: () => Promise<[TokenStore, TokenStore]>): void {
  test('gives the turn to one of many callers if it is empty, and lets the others wait', async () => {
    const stores = await open()
    const taken = await Promise.all(Array.from({ length: 20 }, (_, i) => stores[i % 2]?.take(null)))
    expect(taken.map((entry) => entry?.kind).sort()).toEqual(['turn', ...Array(19).fill('wait')])
  })

  test('gives the stored token to callers with another token or none, and the turn to a caller with that token', async () => {
    const [one, other] = await open()
    const first = turnOf(await one.take(null))
    expect(await first.put(pair('1'))).toBe(true)
    expect(accessOf(await other.take(null))).toBe('access-1')
    expect(accessOf(await other.take('another'))).toBe('access-1')
    const second = turnOf(await other.take(first.turnId))
    expect(second.turnId).not.toBe(first.turnId)
    // The token is being replaced, so new callers do not get it.
    expect(accessOf(await one.take(null))).toBe('wait')
    await second.put(pair('2'))
    expect(accessOf(await one.take(first.turnId))).toBe('access-2')
  })

  test('gives out a refresh token with the turn, and only once', async () => {
    const [one, other] = await open()
    const first = turnOf(await one.take(null))
    expect(first.refresh).toBeNull()
    await first.put(pair('1'))
    const second = turnOf(await other.take(first.turnId))
    expect(second.refresh).toBe('refresh-1')
    await second.giveUp()
    expect(turnOf(await one.take(first.turnId)).refresh).toBeNull()
  })

  test('removes the older refresh token if a new pair has none', async () => {
    const [one] = await open()
    const first = turnOf(await one.take(null))
    await first.put(pair('1'))
    const second = turnOf(await one.take(first.turnId))
    await second.put({ ...pair('2'), refresh: null })
    expect(turnOf(await one.take(second.turnId)).refresh).toBeNull()
  })

  test('immediately frees a turn that was given up, and keeps the token', async () => {
    const [one, other] = await open()
    const first = turnOf(await one.take(null))
    await first.put(pair('1'))
    await turnOf(await one.take(first.turnId)).giveUp()
    expect(accessOf(await other.take(null))).toBe('access-1')
    expect(accessOf(await other.take(first.turnId))).toBe('turn')
  })

  test('never underestimates the age of a token, and overestimates it only slightly', async () => {
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
  testStore(async () => {
    const store = openLocalTokenStore()
    return [store, store]
  })
})

describeWithRedis('a token store in Redis', ({ url }) => {
  testStore(async () => {
    const { store } = await openRedisStore(url)
    return [store(), store()]
  })
})
