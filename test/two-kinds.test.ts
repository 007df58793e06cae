// Workers that must not work beside one another: with Redis and without it, or with two different ones.

import { Redis } from 'ioredis'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startWorker } from '#jobs/worker.ts'
import { type App, openApp } from '#src/app.ts'
import { checkWorkers } from '#src/check/check-worker.ts'
import { partsOf } from '#src/check/open-parts.ts'
import { besideWords } from '#src/check/worker-words.ts'
import { shownWorkers } from '#src/ledger/shown-worker.ts'
import { silentLog } from '#src/log/log.ts'
import { Secret } from '#src/secret/secret.ts'
import { systemClock } from '#src/time/clock.ts'
import { describeWithDatabase } from './support/database.ts'
import { startRedis } from './support/redis-server.ts'
import { until } from './support/until.ts'
import { openWorld, type World } from './support/world.ts'

async function ownRedis(): Promise<string> {
  const redis = await startRedis()
  if (!redis) throw new Error('There is no redis-server on the PATH, which several workers need.')
  onTestFinished(() => redis.stop())
  return redis.url
}

const tuning = { sweepMs: 50, aliveMs: { every: 100, silent: 1_000 } }

/** Another process on the same ledger. */
async function another(world: World, redisUrl: string | null, events: string[] = []): Promise<App> {
  const log = { event: (name: string) => void events.push(name) }
  const settings = { ...world.settings, redisUrl: redisUrl ? new Secret(redisUrl) : null }
  return openApp(settings, { clock: systemClock, log, random: () => 0.5, tuning })
}

const shown = async (world: World) => (await shownWorkers(world.app.database))[0] ?? null

describeWithDatabase('a worker with Redis and one without', () => {
  test('are refused beside one another, with what to do', async () => {
    const redisUrl = await ownRedis()
    await using world = await openWorld()
    await using crew = await another(world, redisUrl)
    const alone = await startWorker(world.app)
    expect(alone).not.toBe(null)
    expect(await startWorker(crew)).toBe(null)
    expect(besideWords(await shown(world), crew.exclusive)).toMatch(
      /^A worker without Redis runs .*same REDIS_URL for every/,
    )
    await alone?.stop()

    const first = await startWorker(crew)
    expect(await startWorker(world.app)).toBe(null)
    expect(besideWords(await shown(world), true)).toMatch(/^A worker with Redis runs .*same REDIS_URL here as there/)
    await first?.stop()
    expect(besideWords(await shown(world), true)).toMatch(/^Another worker runs .*there may be one only/)
  })

  test('never go on beside one another: one that lost its connection meanwhile stops', async () => {
    const redisUrl = await ownRedis()
    await using world = await openWorld()
    const events: string[] = []
    await using crew = await another(world, redisUrl, events)
    await using worker = await startWorker(crew)
    await world.app.database.query(`SELECT pg_terminate_backend(backend) FROM worker WHERE lock = 'worker:' || $1`, [
      crew.instance,
    ])
    const alone = await world.app.ledger.holdLock('worker')
    expect(alone).not.toBe(null)
    await worker?.lost
    expect(events).toContain('worker.displaced')
    await alone?.release()
  })
})

describeWithDatabase('workers with two different Redis', () => {
  describe.each([['another database of it', '/1']])('%s', (_, suffix) => {
    test('are told by the one that begins and by check, and settle when the first is emptied', async () => {
      const redisUrl = await ownRedis()
      await using world = await openWorld({ redisUrl, tuning })
      await using first = await startWorker(world.app)
      const heard = { same: [] as string[], other: [] as string[] }
      await using same = await another(world, redisUrl, heard.same)
      await using _second = await startWorker(same)
      expect(heard.same).not.toContain('queue.apart')
      const checked = async () => {
        const storeId = await same.queues.storeId()
        const parts = partsOf(same.settings, { clock: systemClock, log: silentLog, random: () => 0.5 })
        return checkWorkers({ ...parts, database: same.database, ledger: same.ledger, storeId })
      }
      expect((await checked()).map(({ ok }) => ok)).toEqual([true, true])

      const redis = new Redis(redisUrl)
      onTestFinished(() => redis.disconnect())
      await redis.flushall()
      const stores = async () => new Set((await shownWorkers(same.database)).map(({ store }) => store))
      const now = await same.queues.storeId()
      await until('both to settle', async () => (await stores()).size === 1 && (await stores()).has(now))
      expect((await checked()).map(({ ok }) => ok)).toEqual([true, true])

      await using apart = await another(world, `${redisUrl}${suffix}`, heard.other)
      await using _third = await startWorker(apart)
      expect(heard.other).toContain('queue.apart')
      const faults = (await checked()).filter(({ ok }) => !ok)
      expect(faults.map(({ what }) => what)).toEqual([
        expect.stringMatching(/works with another Redis, or another database/),
      ])
      expect(first).not.toBe(null)
    })
  })
})
