// The connection for scripts: its results and its errors, and that it never runs a script twice unnoticed.

import { expect, onTestFinished, test } from 'vitest'
import { openRedis } from '#src/platform/redis/open-redis.ts'
import { describeWithRedis } from '#test/support/describe-with-redis.ts'
import { freePort, startRedis } from '#test/support/redis-server.ts'
import { until } from '#test/support/until.ts'

const echo = { name: 'echo', lua: 'return {KEYS[1], ARGV[1], 5, false}' }
const failing = (message: string) => ({ name: 'failing', lua: `return redis.error_reply('${message}')` })
const count = { name: 'count', lua: "return redis.call('INCR', KEYS[1])" }

async function ownServer() {
  const server = await startRedis()
  if (!server) throw new Error('CREDSYNC_TEST_REDIS is set but there is no redis-server on the PATH.')
  onTestFinished(() => server.stop())
  const redis = await openRedis({ url: server.url })
  onTestFinished(() => redis.close())
  return { server, redis }
}

describeWithRedis('a connection for scripts', () => {
  test('returns the script’s result, and sends its text only once', async () => {
    const { redis } = await ownServer()
    expect(await redis.run(echo, ['a key'], ['a word'])).toEqual(['a key', 'a word', 5, null])
    expect(await redis.run(echo, ['k'], [1.5])).toEqual(['k', '1.5', 5, null])
    // The first run sends the digest, and then the text, because Redis lacks the script. The second sends the digest.
    expect(redis.sent()).toBe(3)
  })

  test('reports an error by its kind, without the arguments', async () => {
    const { redis } = await ownServer()
    const refusal = redis.run(failing('OOM no room'), ['planted-key'], ['planted-value'])
    const error = await refusal.then(
      () => null,
      (reason: Error) => reason,
    )
    expect(error).toMatchObject({ name: 'RedisRefusedError', kind: 'OOM' })
    expect(JSON.stringify([error, error?.message, error?.stack])).not.toContain('planted')
  })

  test('fails immediately while the server is unavailable, and works again without sending anything twice', async () => {
    const { server, redis } = await ownServer()
    const busy = redis.run({ name: 'busy', lua: 'while true do end' }, [], []).catch((error) => error)
    const behind = redis.run(count, ['n'], []).catch((error) => error)
    await server.stop()
    expect(await busy).toMatchObject({ name: 'RedisUnreachableError' })
    expect(await behind).toMatchObject({ name: 'RedisUnreachableError' })
    expect(redis.up()).toBe(false)
    await expect(redis.run(count, ['n'], [])).rejects.toMatchObject({ name: 'RedisUnreachableError' })
    await server.startAgain()
    await until('the connection', () => redis.up())
    expect(await redis.run(count, ['n'], [])).toBe(1)
  })
})

test('a missing server is reported at the start, without its password', async () => {
  const url = `redis://:planted-password@127.0.0.1:${await freePort()}`
  const failure = await openRedis({ url }).catch((error) => error)
  expect(failure).toMatchObject({ name: 'RedisUnreachableError' })
  expect(failure.message).toContain('ECONNREFUSED')
  expect(JSON.stringify([failure.message, failure.stack])).not.toContain('planted-password')
})
