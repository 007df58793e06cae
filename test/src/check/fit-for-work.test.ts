// What keeps a worker among several from beginning, and what it is told.

import { Redis } from 'ioredis'
import { expect, onTestFinished, test } from 'vitest'
import { fitForWork } from '#src/check/fit-for-work.ts'
import { openDatabase } from '#src/database/database.ts'
import { Secret } from '#src/secret/secret.ts'
import { type Clock, systemClock } from '#src/time/clock.ts'
import { describeWithDatabase, serverUrl } from '#test/support/database.ts'
import { describeWithRedis } from '#test/support/redis.ts'
import { freePort, startRedis } from '#test/support/redis-server.ts'

const ahead = (ms: number): Clock => ({ ...systemClock, now: () => new Date(systemClock.now().getTime() + ms) })

async function look(redisUrl: string | null, clock: Clock = systemClock): Promise<string[]> {
  await using database = openDatabase(serverUrl())
  const settings = { redisUrl: redisUrl === null ? null : new Secret(redisUrl) }
  return await fitForWork({ settings, database, clock } as unknown as Parameters<typeof fitForWork>[0])
}

async function ownRedis(policy: string) {
  const server = await startRedis({ policy })
  if (!server) throw new Error('CREDSYNC_TEST_REDIS is set but there is no redis-server on the PATH.')
  onTestFinished(() => server.stop())
  return server
}

describeWithRedis('a worker among several', () => {
  describeWithDatabase('before it begins', () => {
    test('is told of a Redis that evicts and keeps nothing on disk, and works with it', async () => {
      const { url } = await ownRedis('allkeys-lru')
      const warnings = await look(url)
      expect(warnings).toEqual([expect.stringContaining('noeviction'), expect.stringContaining('appendonly yes')])
    })

    test('is refused with a clock that is not the database’s', async () => {
      const { url } = await ownRedis('noeviction')
      for (const ms of [60_000, -60_000])
        await expect(look(url, ahead(ms))).rejects.toMatchObject({ name: 'ClockSkewError' })
    })

    test('is refused with a read-only replica, and told what to name instead', async () => {
      const { url } = await ownRedis('noeviction')
      const redis = new Redis(url)
      onTestFinished(() => redis.disconnect())
      await redis.call('REPLICAOF', '127.0.0.1', String(await freePort()))
      await expect(look(url)).rejects.toMatchObject({
        name: 'RedisUnfitError',
        message: expect.stringContaining('name the primary'),
      })
    })

    test('has nothing to look at where it is alone', async () => {
      expect(await look(null, ahead(60_000))).toEqual([])
    })
  })
})
