// The allowance of short commands where Redis answers and gives nobody a slot.

import { Redis } from 'ioredis'
import { expect, onTestFinished, test } from 'vitest'
import { parseFileSettings } from '#config/settings.ts'
import { openAllowance } from '#src/allowance.ts'
import { Secret } from '#src/secret/secret.ts'
import { systemClock } from '#src/time/clock.ts'
import { describeWithRedis } from '#test/support/redis.ts'
import { startRedis } from '#test/support/redis-server.ts'

async function fullRedis(): Promise<Secret> {
  const server = await startRedis()
  if (!server) throw new Error('CREDSYNC_TEST_REDIS is set but there is no redis-server on the PATH.')
  onTestFinished(() => server.stop())
  const redis = new Redis(server.url)
  await redis.config('SET', 'maxmemory', '1')
  redis.disconnect()
  return new Secret(server.url)
}

const settingsOn = (redisUrl: Secret) => ({
  baseUrl: 'https://service.example',
  key: new Secret('key'),
  secret: new Secret('secret'),
  redisUrl,
  file: parseFileSettings({ service: { environment: 'development' }, pipelines: {} }),
})

describeWithRedis('a Redis that takes no writes', () => {
  test('lets a short command go alone, and a worker wait for it', async () => {
    const settings = settingsOn(await fullRedis())
    const alone = await openAllowance(settings, { clock: systemClock }, { mayGoAlone: true })
    onTestFinished(() => alone.close())
    expect(alone.redis).toBe(null)
    expect(await alone.gates.gate('courses').pass(async () => 'passed')).toBe('passed')

    const together = await openAllowance(settings, { clock: systemClock })
    const waiting = together.gates.gate('courses').pass(async () => 'passed')
    const ended = waiting.catch((error: Error) => error.name)
    const soon = systemClock.sleep(500).then(() => 'still waiting')
    expect(await Promise.race([ended, soon])).toBe('still waiting')
    together.close()
    expect(await ended).toBe('LimitsClosedError')
  })
})
