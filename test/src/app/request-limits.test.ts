// The request limits that processes share through Redis, and when Redis refuses writes and so grants no slots.

import { Redis } from 'ioredis'
import { expect, onTestFinished, test } from 'vitest'
import { parseFileSettings } from '#config/settings.ts'
import { openRequestLimits } from '#src/app/request-limits.ts'
import { Secret } from '#src/platform/secret.ts'
import { systemClock } from '#src/platform/time/clock.ts'
import { describeWithRedis } from '#test/support/describe-with-redis.ts'
import { documentedRedisUser } from '#test/support/documented-redis-user.ts'
import { openRecordedLog } from '#test/support/recorded-log.ts'
import { startRedis } from '#test/support/redis-server.ts'

async function ownRedis() {
  const server = await startRedis()
  if (!server) throw new Error('CREDSYNC_TEST_REDIS is set but there is no redis-server on the PATH.')
  onTestFinished(() => server.stop())
  return server
}

async function startFullRedis(): Promise<Secret> {
  const server = await ownRedis()
  const redis = new Redis(server.url)
  await redis.config('SET', 'maxmemory', '1')
  redis.disconnect()
  return new Secret(server.url)
}

const settingsOn = (redisUrl: Secret, service: object = {}) => ({
  baseUrl: 'https://service.example',
  key: new Secret('key'),
  secret: new Secret('secret'),
  redisUrl,
  file: parseFileSettings({ service: { environment: 'development', ...service }, pipelines: {} }),
})

describeWithRedis('a Redis that accepts no writes', () => {
  test('makes a short command use its own slots, and makes a worker wait', async () => {
    const settings = settingsOn(await startFullRedis())
    const commandLimits = await openRequestLimits(settings, { clock: systemClock }, { mayLimitLocally: true })
    onTestFinished(() => commandLimits.close())
    expect(commandLimits.redis).toBe(null)
    expect(await commandLimits.gates.gate('courses').pass(async () => 'passed')).toBe('passed')

    const workerLimits = await openRequestLimits(settings, { clock: systemClock })
    const waiting = workerLimits.gates.gate('courses').pass(async () => 'passed')
    const ended = waiting.catch((error: Error) => error.name)
    const soon = systemClock.sleep(500).then(() => 'still waiting')
    expect(await Promise.race([ended, soon])).toBe('still waiting')
    workerLimits.close()
    expect(await ended).toBe('LimitsClosedError')
  })
})

describeWithRedis('a Redis whose user lacks a command of the slots', () => {
  test('makes a short command use its own slots, so that it ends', async () => {
    const settings = settingsOn(new Secret(await documentedRedisUser((await ownRedis()).url, '-time')))
    const limits = await openRequestLimits(settings, { clock: systemClock }, { mayLimitLocally: true })
    onTestFinished(() => limits.close())
    expect(limits.redis).toBe(null)
  })
})

describeWithRedis('processes with different limits for one account', ({ url }) => {
  test('log that the lowest limit counts', async () => {
    // Its own account, because other tests share this Redis.
    const openLimits = async (general: number) => {
      const settings = settingsOn(new Secret(url), { limits: { general } })
      const log = openRecordedLog()
      const limits = await openRequestLimits(
        { ...settings, key: new Secret('of this test') },
        { clock: systemClock, log },
      )
      onTestFinished(() => limits.close())
      return { log, pass: () => limits.gates.gate('courses').pass(async () => 'passed') }
    }
    const [low, high] = [await openLimits(5), await openLimits(20)]
    await low.pass()
    await high.pass()
    expect(high.log.fieldsOf('limit.shared')).toEqual([{ where: 'courses', count: 5 }])
    expect(low.log.lines).toEqual([])
  })
})
