// Token stores for tests, and what comes out of them.

import { randomUUID } from 'node:crypto'
import { onTestFinished } from 'vitest'
import { openRedisTokenStore } from '#src/issuer/redis-token-store.ts'
import type { TokenPair } from '#src/issuer/token-calls.ts'
import { type Account, openTokenSeal } from '#src/issuer/token-seal.ts'
import type { RenewalTurn, Taken } from '#src/issuer/token-store.ts'
import { openRedis, type RedisConnection } from '#src/redis/open-redis.ts'
import { Secret } from '#src/secret/secret.ts'
import { systemClock } from '#src/time/clock.ts'

export const pair = (name: string, bornMs = systemClock.monotonicMs()): TokenPair => ({
  access: `access-${name}`,
  refresh: `refresh-${name}`,
  bornMs,
})

export function turnOf(taken: Taken): RenewalTurn {
  if (taken.kind !== 'turn') throw new Error(`There was no turn to have: ${taken.kind}.`)
  return taken.turn
}

export const accessOf = (taken: Taken) => (taken.kind === 'token' ? taken.token.access : taken.kind)

export const account = (): Account => ({
  baseUrl: 'https://service.example/here',
  key: new Secret(`planted-key-${randomUUID()}`),
  secret: new Secret('planted-secret'),
})

export async function connected(url: string): Promise<RedisConnection> {
  const redis = await openRedis({ url })
  onTestFinished(() => redis.close())
  return redis
}

export async function openRedisStore(url: string, whose = account(), leaseMs = 5_000) {
  const redis = await connected(url)
  const store = () => openRedisTokenStore({ ...whose, run: redis.run.bind(redis), clock: systemClock, leaseMs })
  const name = `credsync:token:${openTokenSeal(whose).name}`
  const command = (lua: string, ...args: string[]) => redis.run({ name: 'test', lua }, [name], args)
  return { redis, store, name, command }
}
