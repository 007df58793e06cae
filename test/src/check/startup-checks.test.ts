// The faults that keep one of several workers from starting, and those that it only warns about.

import { Redis } from 'ioredis'
import { expect, onTestFinished, test } from 'vitest'
import { runStartupChecks } from '#src/check/startup-checks.ts'
import { openDatabase } from '#src/platform/database/database.ts'
import { Secret } from '#src/platform/secret.ts'
import { type Clock, systemClock } from '#src/platform/time/clock.ts'
import { describeWithDatabase, serverUrl } from '#test/support/database.ts'
import { describeWithRedis } from '#test/support/describe-with-redis.ts'
import { freePort, startRedis } from '#test/support/redis-server.ts'

const clockAhead = (ms: number): Clock => ({ ...systemClock, now: () => new Date(systemClock.now().getTime() + ms) })

async function warningsAtStart(redisUrl: string | null, clock: Clock = systemClock): Promise<string[]> {
  await using database = openDatabase(serverUrl())
  // The PostgreSQL server of the tests runs without durability.
  const offOnPurpose = ['fsync', 'full_page_writes', 'synchronous_commit']
  const file = { service: { environment: 'production' }, database: { offOnPurpose } }
  const settings = { file, redisUrl: redisUrl === null ? null : new Secret(redisUrl) }
  return await runStartupChecks({ settings, database, clock } as unknown as Parameters<typeof runStartupChecks>[0])
}

async function ownRedis(policy: string) {
  const server = await startRedis({ policy })
  if (!server) throw new Error('CREDSYNC_TEST_REDIS is set but there is no redis-server on the PATH.')
  onTestFinished(() => server.stop())
  return server
}

describeWithRedis('a worker among several', () => {
  describeWithDatabase('before it starts', () => {
    test('accepts a Redis that evicts keys and stores nothing on disk, with warnings', async () => {
      const { url } = await ownRedis('allkeys-lru')
      const warnings = await warningsAtStart(url)
      expect(warnings).toEqual([expect.stringContaining('noeviction'), expect.stringContaining('appendonly yes')])
    })

    test('is refused if its clock differs from the clock of the database', async () => {
      const { url } = await ownRedis('noeviction')
      for (const ms of [60_000, -60_000])
        await expect(warningsAtStart(url, clockAhead(ms))).rejects.toMatchObject({ name: 'ClockSkewError' })
    })

    test('is refused if its database is a read-only replica, with advice on what to configure instead', async () => {
      const { url } = await ownRedis('noeviction')
      const redis = new Redis(url)
      onTestFinished(() => redis.disconnect())
      await redis.call('REPLICAOF', '127.0.0.1', String(await freePort()))
      await expect(warningsAtStart(url)).rejects.toMatchObject({
        name: 'RedisUnsuitableError',
        message: expect.stringContaining('name the primary'),
      })
    })

    test('has nothing to check if it is alone', async () => {
      expect(await warningsAtStart(null, clockAhead(60_000))).toEqual([])
    })
  })
})
