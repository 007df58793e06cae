// What makes a Redis server unfit for the queues.

import { expect, test } from 'vitest'
import { checkRedis, judgeRedis } from '#src/redis/check-redis.ts'
import { describeWithRedis } from '#test/support/redis.ts'
import { freePort, startRedis } from '#test/support/redis-server.ts'

const sound = [
  'redis_version:7.2.4',
  'role:master',
  'maxmemory_policy:noeviction',
  'aof_enabled:1',
  'cluster_enabled:0',
]

const info = (changes: Record<string, string> = {}) =>
  sound
    .map((line) => line.split(':') as [string, string])
    .map(([field, value]) => `${field}:${changes[field] ?? value}`)
    .join('\r\n')

test('a sound server has no faults', () => {
  expect(judgeRedis(info())).toEqual({
    version: '7.2.4',
    maxmemoryPolicy: 'noeviction',
    aof: true,
    faults: [],
    grave: [],
    now: null,
  })
})

test.each([
  ['evicts', { maxmemory_policy: 'allkeys-lru' }, 'noeviction'],
  ['keeps nothing on disk', { aof_enabled: '0' }, 'appendonly yes'],
  ['is too old', { redis_version: '6.0.20' }, '6.2 or newer'],
  ['is a replica', { role: 'slave' }, 'name the primary'],
  ['is a cluster', { cluster_enabled: '1' }, 'standalone'],
])('a server that %s is told so with the remedy', (_, changes, remedy) => {
  const { faults } = judgeRedis(info(changes))
  expect(faults).toHaveLength(1)
  expect(faults[0]).toContain(remedy)
})

test.each([
  ['evicts', { maxmemory_policy: 'allkeys-lru' }, 0],
  ['keeps nothing on disk', { aof_enabled: '0' }, 0],
  ['is too old', { redis_version: '6.0.20' }, 1],
  ['is a replica', { role: 'slave' }, 1],
  ['is a cluster', { cluster_enabled: '1' }, 1],
])('a worker on a server that %s is warned, or refused where it could not work', (_, changes, grave) => {
  expect(judgeRedis(info(changes)).grave).toHaveLength(grave)
})

test('an answer that says nothing passes for nothing', () => {
  expect(judgeRedis('').faults.length).toBeGreaterThanOrEqual(2)
})

describeWithRedis('a real server', () => {
  test('is read as it is set', async () => {
    const server = await startRedis({ policy: 'allkeys-lru' })
    if (!server) throw new Error('CREDSYNC_TEST_REDIS is set but there is no redis-server on the PATH.')
    try {
      const report = await checkRedis(server.url)
      expect(report).toMatchObject({ maxmemoryPolicy: 'allkeys-lru', aof: false })
      expect(report.version).toMatch(/^\d+\.\d+/)
      expect(report.faults).toHaveLength(2)
      expect(report.grave).toEqual([])
      expect(Math.abs((report.now?.getTime() ?? 0) - Date.now())).toBeLessThan(10_000)
    } finally {
      await server.stop()
    }
  })
})

test('a server that is not there is told without its password', async () => {
  const failure = await checkRedis(`redis://:planted-password@127.0.0.1:${await freePort()}`).catch((error) => error)
  expect(failure).toMatchObject({ name: 'RedisUnreachableError' })
  expect(JSON.stringify([failure.message, failure.stack])).not.toContain('planted-password')
})
