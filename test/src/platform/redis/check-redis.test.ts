// The check of a Redis server: which of its settings are faults, and which of these keep workers from starting.

import { expect, test } from 'vitest'
import { checkRedis, checkRedisReport } from '#src/platform/redis/check-redis.ts'
import { describeWithRedis } from '#test/support/describe-with-redis.ts'
import { freePort, startRedis } from '#test/support/redis-server.ts'

const suitable = [
  'redis_version:7.2.4',
  'role:master',
  'maxmemory_policy:noeviction',
  'aof_enabled:1',
  'cluster_enabled:0',
]

const info = (changes: Record<string, string> = {}) =>
  suitable
    .map((line) => line.split(':') as [string, string])
    .map(([field, value]) => `${field}:${changes[field] ?? value}`)
    .join('\r\n')

test('a correctly configured server has no faults', () => {
  expect(checkRedisReport(info())).toEqual({
    version: '7.2.4',
    maxmemoryPolicy: 'noeviction',
    aof: true,
    faults: [],
    grave: [],
    unknown: [],
  })
})

test.each([
  ['evicts keys', { maxmemory_policy: 'allkeys-lru' }, 'noeviction'],
  ['saves nothing to disk', { aof_enabled: '0' }, 'appendonly yes'],
  ['is too old', { redis_version: '6.0.20' }, '6.2 or newer'],
  ['is a replica', { role: 'slave' }, 'name the primary'],
  ['is a cluster', { cluster_enabled: '1' }, 'standalone'],
])('the report of a server that %s contains the remedy', (_, changes, remedy) => {
  const { faults } = checkRedisReport(info(changes))
  expect(faults).toHaveLength(1)
  expect(faults[0]).toContain(remedy)
})

test.each([
  ['evicts keys', { maxmemory_policy: 'allkeys-lru' }, 0],
  ['saves nothing to disk', { aof_enabled: '0' }, 0],
  ['is too old', { redis_version: '6.0.20' }, 1],
  ['is a replica', { role: 'slave' }, 1],
  ['is a cluster', { cluster_enabled: '1' }, 1],
])('a server that %s is a grave fault only if no worker could work with it', (_, changes, grave) => {
  expect(checkRedisReport(info(changes)).grave).toHaveLength(grave)
})

test.each([
  ['no data', ''],
  ['no policy', info().replace(/maxmemory_policy.*/, '')],
])('an INFO answer with %s is no fault, but says what to make sure of', (_, answer) => {
  expect(checkRedisReport(answer)).toMatchObject({
    ...{ maxmemoryPolicy: 'unknown', faults: [], grave: [] },
    unknown: [expect.stringContaining('with maxmemory-policy noeviction and appendonly yes')],
  })
})

describeWithRedis('a real server', () => {
  test('reports its settings', async () => {
    const server = await startRedis({ policy: 'allkeys-lru' })
    if (!server) throw new Error('CREDSYNC_TEST_REDIS is set but there is no redis-server on the PATH.')
    try {
      const report = await checkRedis(server.url)
      expect(report).toMatchObject({ maxmemoryPolicy: 'allkeys-lru', aof: false })
      expect(report.version).toMatch(/^\d+\.\d+/)
      expect(report.faults).toHaveLength(2)
      expect(report.grave).toEqual([])
    } finally {
      await server.stop()
    }
  })
})

test('a missing server is reported without its password', async () => {
  const failure = await checkRedis(`redis://:planted-password@127.0.0.1:${await freePort()}`).catch((error) => error)
  expect(failure).toMatchObject({ name: 'RedisUnreachableError' })
  expect(JSON.stringify([failure.message, failure.stack])).not.toContain('planted-password')
})
