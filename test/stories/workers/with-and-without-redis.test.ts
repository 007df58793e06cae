// Workers that must not run at the same time: one with and one without Redis, or two with different Redis servers.

import { Redis } from 'ioredis'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startWorker } from '#jobs/worker.ts'
import { type App, openApp } from '#src/app/app.ts'
import { checkWorkers } from '#src/check/check-workers.ts'
import { partsToCheck } from '#src/check/open-parts.ts'
import { otherWorkerSentence } from '#src/issuing/descriptions/describe-worker.ts'
import { registeredWorkers } from '#src/ledger/workers/worker-registration.ts'
import type { Session } from '#src/platform/database/database.ts'
import { silentLog } from '#src/platform/log/log.ts'
import { Secret } from '#src/platform/secret.ts'
import { systemClock } from '#src/platform/time/clock.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { startRedis } from '#test/support/redis-server.ts'
import { until } from '#test/support/until.ts'
import { openWorld, type World } from '#test/support/world.ts'

async function ownRedis(): Promise<string> {
  const redis = await startRedis()
  if (!redis) throw new Error('There is no redis-server on the PATH, which several workers need.')
  onTestFinished(() => redis.stop())
  return redis.url
}

const tuning = { sweepMs: 50, aliveMs: { every: 100, silent: 1_000 } }

/** Opens another process on the same ledger. */
async function openAnotherProcess(world: World, redisUrl: string | null, events: string[] = []): Promise<App> {
  const log = { event: (name: string) => void events.push(name) }
  const settings = { ...world.settings, redisUrl: redisUrl ? new Secret(redisUrl) : null }
  return openApp(settings, { clock: systemClock, log, random: () => 0.5, tuning })
}

const registeredWorker = async (world: World) => (await registeredWorkers(world.app.database))[0] ?? null

describeWithDatabase('a worker with Redis and one without', () => {
  test('refuse to run at the same time, and report what to do', async () => {
    const redisUrl = await ownRedis()
    await using world = await openWorld()
    await using withRedis = await openAnotherProcess(world, redisUrl)
    {
      await using alone = await startWorker(world.app)
      expect(alone).not.toBe(null)
      expect(await startWorker(withRedis)).toBe(null)
      expect(otherWorkerSentence(await registeredWorker(world), withRedis.exclusive)).toMatch(
        /^A worker without Redis already runs .*same REDIS_URL for every/,
      )
    }

    {
      await using _first = await startWorker(withRedis)
      expect(await startWorker(world.app)).toBe(null)
      expect(otherWorkerSentence(await registeredWorker(world), true)).toMatch(
        /^A worker with Redis already runs .*same REDIS_URL for this worker/,
      )
    }
    expect(otherWorkerSentence(await registeredWorker(world), true)).toMatch(
      /^Another worker already runs .*there may be only one/,
    )
  })

  test('never continue at the same time: a worker that has lost its connection stops', async () => {
    const redisUrl = await ownRedis()
    await using world = await openWorld()
    const events: string[] = []
    await using withRedis = await openAnotherProcess(world, redisUrl, events)
    await using worker = await startWorker(withRedis)
    const cut = `SELECT pg_terminate_backend(backend, 60_000) FROM worker WHERE lock = 'worker:' || $1`
    let alone: Session | null = null
    await until('the lock of a single worker', async () => {
      await world.app.database.query(cut, [withRedis.instance])
      // This fails if the worker, which may be as fast as this test, got its lock back first.
      alone = await world.app.ledger.locks.hold('worker')
      return alone !== null
    })
    await using _held = { [Symbol.asyncDispose]: async () => alone?.release() }
    await worker?.lost
    expect(events).toContain('worker.displaced')
  })
})

describeWithDatabase('workers with two different Redis databases', () => {
  describe.each([['two databases of one server', '/1']])('%s', (_, suffix) => {
    test('are detected by the worker that starts and by check, also after the first Redis was emptied', async () => {
      const redisUrl = await ownRedis()
      await using world = await openWorld({ redisUrl, tuning })
      await using first = await startWorker(world.app)
      const events = { same: [] as string[], other: [] as string[] }
      await using same = await openAnotherProcess(world, redisUrl, events.same)
      await using _second = await startWorker(same)
      expect(events.same).not.toContain('queue.apart')
      const checkAgain = async () => {
        const storeId = await same.queues.storeId()
        const parts = partsToCheck(same.settings, { clock: systemClock, log: silentLog, random: () => 0.5 })
        return checkWorkers({ ...parts, database: same.database, ledger: same.ledger, storeId })
      }
      expect((await checkAgain()).map(({ ok }) => ok)).toEqual([true, true])

      const redis = new Redis(redisUrl)
      onTestFinished(() => redis.disconnect())
      await redis.flushall()
      const stores = async () => new Set((await registeredWorkers(same.database)).map(({ store }) => store))
      const now = await same.queues.storeId()
      await until('both to settle', async () => (await stores()).size === 1 && (await stores()).has(now))
      await until('check to find no fault', async () => (await checkAgain()).every(({ ok }) => ok))

      await using withOtherRedis = await openAnotherProcess(world, `${redisUrl}${suffix}`, events.other)
      await using _third = await startWorker(withOtherRedis)
      expect(events.other).toContain('queue.apart')
      const faults = (await checkAgain()).filter(({ ok }) => !ok)
      expect(faults.map(({ what }) => what)).toEqual([expect.stringMatching(/uses another Redis, or another database/)])
      expect(first).not.toBe(null)
    })
  })
})
