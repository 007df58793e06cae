// What Redis says no to, in words of our own that tell the cases apart, and without what REDIS_URL holds.

import { Redis } from 'ioredis'
import { describe, expect, onTestFinished, test } from 'vitest'
import { checkRedis } from '#src/redis/check-redis.ts'
import { openRedis } from '#src/redis/open-redis.ts'
import { describeWithRedis } from '#test/support/redis.ts'
import { startRedis } from '#test/support/redis-server.ts'

async function server(...commands: string[][]) {
  const started = await startRedis()
  if (!started) throw new Error('CREDSYNC_TEST_REDIS is set but there is no redis-server on the PATH.')
  onTestFinished(() => started.stop())
  const redis = new Redis(started.url)
  for (const [name = '', ...args] of commands) await redis.call(name, ...args)
  redis.disconnect()
  return new URL(started.url).host
}

const told = async (call: Promise<unknown>): Promise<string> => {
  const error = await call.then(
    () => null,
    (reason: Error) => reason,
  )
  expect(JSON.stringify([error?.message, error?.stack])).not.toContain('planted')
  return error?.message ?? 'nothing was refused'
}

describeWithRedis('a connection that Redis refuses', () => {
  const password = ['CONFIG', 'SET', 'requirepass', 'right']
  test.each([
    ['a wrong password', password, (host: string) => `redis://:planted@${host}`, /WRONGPASS.*password/],
    ['no password', password, (host: string) => `redis://${host}`, /NOAUTH.*wants a password/],
    ['a database that is not there', ['PING'], (host: string) => `redis://${host}/99`, /no database of the number/],
  ])('is told for %s, by the worker and by check', async (_, command, urlAt, words) => {
    const url = urlAt(await server(command))
    expect(await told(openRedis({ url }))).toMatch(words)
    expect(await told(checkRedis(url))).toMatch(words)
  })

  test('is told for TLS against a port without it', async () => {
    const host = await server()
    expect(await told(checkRedis(`rediss://${host}`))).toMatch(/a port without TLS never answers/)
  }, 20_000)
})

describeWithRedis('a server that answers and refuses to write', () => {
  describe.each([
    ['its memory is full', [['CONFIG', 'SET', 'maxmemory', '1']], /OOM.*memory is full/, 0],
    ['it is a replica', [['REPLICAOF', '127.0.0.1', '1']], /read-only replica: name the primary/, 1],
  ])('because %s', (_, commands, words, grave) => {
    test('is named by check, and a worker is refused where it would never work', async () => {
      const report = await checkRedis(`redis://${await server(...commands)}`)
      expect(report.faults.join(' ')).toMatch(words)
      expect(report.grave).toHaveLength(grave)
    })
  })

  test('because its user may not is grave', async () => {
    const host = await server(['ACL', 'SETUSER', 'poor', 'on', '>planted', '~*', '+info', '+ping', '+client'])
    const { grave } = await checkRedis(`redis://poor:planted@${host}`)
    expect(grave.join(' ')).toMatch(/refuses to write \(NOPERM\): the user of REDIS_URL may not do this/)
  })
})
