// Token stores for tests, and helpers that read their results.

import { randomUUID } from 'node:crypto'
import { onTestFinished } from 'vitest'
import { openRedisTokenStore, openTokenSeal } from '#src/issuer/tokens/redis-token-store.ts'
import type { TokenPair } from '#src/issuer/tokens/token-calls.ts'
import type { RenewalTurn, TakeResult } from '#src/issuer/tokens/token-store.ts'
import { openRedis, type RedisConnection } from '#src/platform/redis/open-redis.ts'
import { Secret, type ServiceAccount } from '#src/platform/secret.ts'
import { systemClock } from '#src/platform/time/clock.ts'

export const pair = (name: string, bornMs = systemClock.monotonicMs()): TokenPair => ({
  access: `access-${name}`,
  refresh: `refresh-${name}`,
  bornMs,
})

export function turnOf(taken: TakeResult): RenewalTurn {
  if (taken.kind !== 'turn') throw new Error(`Expected a turn, got ${taken.kind}.`)
  return taken.turn
}

/** Returns the access token, or the kind of the result if it is not a token. */
export const accessOf = (taken: TakeResult) => (taken.kind === 'token' ? taken.token.access : taken.kind)

export const account = (): ServiceAccount => ({
  baseUrl: 'https://service.example/here',
  key: new Secret(`planted-key-${randomUUID()}`),
  secret: new Secret('planted-secret'),
})

export async function connected(url: string): Promise<RedisConnection> {
  const redis = await openRedis({ url })
  onTestFinished(() => redis.close())
  return redis
}

/**
 * Returns the name of the Redis key of the account, and functions that open its store and run a script on the key. The
 * account is a new one by default.
 */
export async function openRedisStore(url: string, owner = account(), leaseMs = 5_000) {
  const redis = await connected(url)
  const store = () => openRedisTokenStore({ ...owner, run: redis.run.bind(redis), clock: systemClock, leaseMs })
  const name = `credsync:token:${openTokenSeal(owner).name}`
  const command = (lua: string, ...args: string[]) => redis.run({ name: 'test', lua }, [name], args)
  return { redis, store, name, command }
}
