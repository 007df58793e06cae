// When the token of a process is renewed, and how long callers wait for others, to the millisecond.

import { describe, expect, test } from 'vitest'
import { openLocalTokenStore } from '#src/issuer/tokens/local-token-store.ts'
import { openServiceTokens, renewInTurn } from '#src/issuer/tokens/service-tokens.ts'
import type { TokenCalls, TokenPair } from '#src/issuer/tokens/token-calls.ts'
import type { RenewalTurn, TakeResult, TokenStore } from '#src/issuer/tokens/token-store.ts'
import { steppedClock } from '#test/support/clock.ts'

const minutes = 60_000

/** Returns pairs that are numbered in the order of the calls. */
function numberedCalls(clock: ReturnType<typeof steppedClock>): TokenCalls & { made: string[] } {
  const made: string[] = []
  const next = (how: string): TokenPair => {
    made.push(how)
    return { access: `access-${made.length}`, refresh: `refresh-${made.length}`, bornMs: clock.monotonicMs() }
  }
  return { made, byKeys: async () => next('keys'), byRefresh: async () => next('refresh') }
}

/** A store that gives its answers one after the other, and repeats the last. */
function scriptedStore(...answers: TakeResult[]): TokenStore & { asked: (string | null)[] } {
  const asked: (string | null)[] = []
  return {
    asked,
    async take(known) {
      asked.push(known)
      return (answers.length > 1 ? answers.shift() : answers[0]) as TakeResult
    },
  }
}

const stored = (turnId: string, bornMs: number): TakeResult => ({
  kind: 'token',
  token: { turnId, access: `access-of-${turnId}`, bornMs },
})

describe('a token of thirty minutes', () => {
  test('is used until five minutes are left, and renewed after that', async () => {
    const clock = steppedClock()
    const calls = numberedCalls(clock)
    const tokens = openServiceTokens(calls, clock)
    expect(tokens.ready()).toBeNull()
    await tokens.fresh()
    await clock.advance(25 * minutes)
    expect(tokens.ready()).toBe('access-1')
    expect(await tokens.fresh()).toBe('access-1')
    await clock.advance(1)
    expect(tokens.ready()).toBeNull()
    expect(await tokens.fresh()).toBe('access-2')
    expect(calls.made).toEqual(['keys', 'refresh'])
  })

  test('is used until thirty seconds are left while another process renews it, with one question in two seconds', async () => {
    const clock = steppedClock()
    const store = scriptedStore(stored('a', 0), { kind: 'wait' })
    const tokens = openServiceTokens(numberedCalls(clock), clock, store)
    await tokens.fresh()
    await clock.advance(26 * minutes)
    expect(await tokens.fresh()).toBe('access-of-a')
    const asked = store.asked.length
    await clock.advance(1_999)
    expect(await tokens.fresh()).toBe('access-of-a')
    expect(store.asked).toHaveLength(asked)
    await clock.advance(1)
    expect(await tokens.fresh()).toBe('access-of-a')
    expect(store.asked).toHaveLength(asked + 1)
    await clock.advance(3.5 * minutes - 2_000)
    expect(await tokens.bearer()).toBe('access-of-a')
    await clock.advance(1)
    const late = tokens.bearer()
    await clock.advance(45_500)
    expect(await late).toBe('access-1')
  })

  test('of another process is not replaced by an older one', async () => {
    const clock = steppedClock()
    await clock.advance(40 * minutes)
    const store = scriptedStore(stored('new', 20 * minutes), stored('old', 5 * minutes), { kind: 'unavailable' })
    const tokens = openServiceTokens(numberedCalls(clock), clock, store)
    await tokens.fresh()
    await clock.advance(6 * minutes)
    expect(await tokens.fresh()).toBe('access-of-new')
    expect(store.asked).toEqual([null, 'new', 'old'])
  })
})

describe('a process without a token', () => {
  test.each([
    ['unavailable', 5_000],
    ['wait', 45_000],
  ] as const)('whose store answers %s signs in alone after %i ms', async (kind, waitMs) => {
    const clock = steppedClock()
    const calls = numberedCalls(clock)
    const signedIn = openServiceTokens(calls, clock, scriptedStore({ kind })).fresh()
    await clock.advance(waitMs - 1)
    expect(calls.made).toEqual([])
    await clock.advance(300)
    expect(calls.made).toEqual(['keys'])
    expect(await signedIn).toBe('access-1')
  })

  test('asks the store soon at first, and then four times in a second', async () => {
    const clock = steppedClock()
    const store = scriptedStore({ kind: 'wait' })
    const signedIn = openServiceTokens(numberedCalls(clock), clock, store).fresh()
    await clock.advance(49)
    expect(store.asked).toHaveLength(2)
    await clock.advance(1)
    expect(store.asked).toHaveLength(3)
    await clock.advance(4_950)
    const afterFive = store.asked.length
    await clock.advance(1_000)
    expect(store.asked.length - afterFive).toBe(4)
    await clock.advance(45_000)
    await signedIn
  })
})

describe('a turn that expires', () => {
  const turnOf = (extended: () => void): RenewalTurn => ({
    ...{ turnId: 't', refresh: null },
    lease: { extendAfterMs: 1_000, extend: async () => extended() },
    put: async () => true,
    giveUp: async () => {},
  })

  test.each(['succeeds', 'fails'])('is extended each second until the call %s, and no longer', async (how) => {
    const clock = steppedClock()
    let extensions = 0
    const answer = Promise.withResolvers<TokenPair>()
    const calls: TokenCalls = { byKeys: () => answer.promise, byRefresh: async () => null }
    const renewal = renewInTurn(
      turnOf(() => extensions++),
      calls,
      clock,
    ).catch(() => null)
    await clock.advance(999)
    expect(extensions).toBe(0)
    await clock.advance(2_001)
    expect(extensions).toBe(3)
    if (how === 'fails') answer.reject(new Error('no'))
    else answer.resolve({ access: 'a', refresh: null, bornMs: 0 })
    await renewal
    await clock.advance(10_000)
    expect(extensions).toBe(3)
  })

  test('in this process needs no extension', async () => {
    const taken = await openLocalTokenStore().take(null)
    expect(taken.kind === 'turn' && taken.turn.lease).toBeNull()
  })
})
