// Outages of a Redis that holds the queues, each with its start and its repair.

import { Redis } from 'ioredis'
import { freePort, type RedisServer, startRedis } from '#test/support/redis-server.ts'
import type { Outage } from './outage.ts'

const kinds: {
  name: string
  lasts: boolean
  begin(server: RedisServer): Promise<unknown>
  end?(server: RedisServer): Promise<unknown>
}[] = [
  { name: 'Redis: FLUSHALL', lasts: false, begin: ({ url }) => command(url, 'FLUSHALL') },
  {
    name: 'Redis: restarted without anything kept on disk',
    lasts: true,
    begin: (server) => server.stop(),
    end: (server) => server.startAgain(),
  },
  {
    name: 'Redis: every connection killed',
    lasts: false,
    begin: async ({ url }) => {
      await command(url, 'CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes')
      await command(url, 'CLIENT', 'KILL', 'TYPE', 'pubsub')
    },
  },
  {
    name: 'Redis: read-only, as the replica of a primary that is gone',
    lasts: true,
    begin: async ({ url }) => command(url, 'REPLICAOF', '127.0.0.1', String(await freePort())),
    end: ({ url }) => command(url, 'REPLICAOF', 'NO', 'ONE'),
  },
  {
    name: 'Redis: out of memory and evicting nothing',
    lasts: true,
    begin: ({ url }) => command(url, 'CONFIG', 'SET', 'maxmemory', '1'),
    end: ({ url }) => command(url, 'CONFIG', 'SET', 'maxmemory', '0'),
  },
]

/** Each uses a separate redis-server, started by `prepare`. */
export const redisOutages: readonly Outage[] = kinds.map(({ name, lasts, begin, end }) => ({
  name,
  lasts,
  backend: 'redis',
  async prepare() {
    const server = await startRedis()
    if (!server) throw new Error('There is no redis-server on the PATH, which the outages of Redis need.')
    return {
      redisUrl: server.url,
      begin: async () => void (await begin(server)),
      end: async () => void (await end?.(server)),
      [Symbol.asyncDispose]: () => server.stop(),
    }
  },
}))

async function command(url: string, name: string, ...args: string[]): Promise<unknown> {
  const redis = new Redis(url, { lazyConnect: true, maxRetriesPerRequest: 0, retryStrategy: () => null })
  redis.on('error', () => {})
  await redis.connect()
  try {
    return await redis.call(name, ...args)
  } finally {
    redis.disconnect()
  }
}
