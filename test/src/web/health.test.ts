// Health: live asks nobody and sees what stands still; ready says what is away, quickly; the metrics go on without the database.

import { Redis } from 'ioredis'
import { describe, expect, test } from 'vitest'
import { keepSweeping } from '#jobs/keep-sweeping.ts'
import { noStanding } from '#jobs/lose-calls.ts'
import { standsStill, watchProgress } from '#jobs/watch-progress.ts'
import { startWorker } from '#jobs/worker.ts'
import type { App } from '#src/app.ts'
import { DatabaseUnreachableError, openDatabase } from '#src/database/database.ts'
import type { QueueDepth, QueueName } from '#src/queue/open-queues.ts'
import { queueNames } from '#src/queue/queues.ts'
import { openProgress } from '#src/time/progress.ts'
import { judgeLive, openHealth, type Ready } from '#src/web/health.ts'
import { cuttableProxy } from '#test/src/queue/cuttable-proxy.ts'
import { steppedClock } from '#test/support/clock.ts'
import { describeWithDatabase, testDatabase } from '#test/support/database.ts'
import { openMeteredWorld } from '#test/support/metered-world.ts'
import { readMetrics } from '#test/support/read-metrics.ts'
import { startRedis } from '#test/support/redis-server.ts'
import { until } from '#test/support/until.ts'

const minute = 60_000

/** Not too often: every look is work for the process that is looked at. */
const seen = (what: string, look: () => Promise<boolean>) => until(what, look, { everyMs: 150 })

/** A worker's loops on a clock that the test moves: what its queues hold, and whether its database lets anybody in. */
function watched(outside: { waiting: number | null; canConnect: boolean; begun?: () => number; asking?: boolean }) {
  const clock = steppedClock()
  const progress = openProgress(clock)
  const empty: QueueDepth = { waiting: 0, active: 0, delayed: 0, failed: 0 }
  const queues = {
    depths: async () => {
      if (outside.waiting === null) throw new Error('away')
      const all = queueNames.map((name) => [name, name === 'issue' ? { ...empty, waiting: outside.waiting } : empty])
      return Object.fromEntries(all) as Record<QueueName, QueueDepth>
    },
    working: () => [
      { name: 'issue' as const, asking: outside.asking ?? true, begun: outside.begun?.() ?? 0, underWay: 0 },
    ],
  }
  const watching = watchProgress({
    clock,
    progress,
    queues: queues as never,
    canConnect: async () => outside.canConnect,
  })
  const judgedAfter = async (ms: number) => {
    await clock.advance(ms)
    return judgeLive(progress.standing())
  }
  return { clock, progress, watching, judgedAfter }
}

describe('live', () => {
  test('fails when the sweeper has stood still for longer than its database could keep it', async () => {
    const { progress, watching, judgedAfter } = watched({ waiting: 0, canConnect: true })
    progress.watch('sweep', 10 * minute)
    expect(await judgedAfter(9 * minute)).toEqual({ live: true })
    const { live, problems } = await judgedAfter(2 * minute)
    expect(live).toBe(false)
    expect(problems).toEqual([
      'the sweeper has not come round, for 11 min (10 min are allowed), and nothing outside this process is in the way: start it anew',
    ])
    await watching.end()
  })

  test('does not fail while the sweeper waits for a database that lets nobody in', async () => {
    const outside = { waiting: 0, canConnect: false }
    const { progress, watching, judgedAfter } = watched(outside)
    progress.watch('sweep', 10 * minute)
    for (let hours = 0; hours < 3; hours++) expect(await judgedAfter(60 * minute)).toEqual({ live: true })
    // Back again, and still nothing turns: that is the process's own.
    outside.canConnect = true
    expect((await judgedAfter(11 * minute)).live).toBe(false)
    await watching.end()
  })

  test.each([
    ['fails', 'lost the connections that it had', new DatabaseUnreachableError('none is free'), true],
    ['does not fail', 'gets a connection and then an error', new Error('the disk is full'), true],
    ['does not fail', 'gets no connection, nor does anybody else', new DatabaseUnreachableError('away'), false],
  ])('%s when every sweep %s', async (verdict, _, error, canConnect) => {
    const { clock, progress, watching, judgedAfter } = watched({ waiting: 0, canConnect })
    const faults: string[] = []
    const sweeping = keepSweeping(
      {
        clock,
        progress,
        tuning: { sweepMs: 1_000 },
        ledger: { withLock: () => Promise.reject(error) },
        log: { event: (name: string) => faults.push(name) },
      } as unknown as App,
      noStanding,
      false,
    )
    expect((await judgedAfter(11 * minute)).live).toBe(verdict !== 'fails')
    expect(faults.length).toBeGreaterThan(600)
    await sweeping.stop()
    await watching.end()
  })

  test('fails when jobs wait and the worker of their queue takes none', async () => {
    const { watching, judgedAfter } = watched({ waiting: 3, canConnect: true })
    expect(await judgedAfter(4 * minute)).toEqual({ live: true })
    const { problems = [] } = await judgedAfter(2 * minute)
    expect(problems[0]).toMatch(/^the worker of the queue issue does not take jobs, for \d min \(5 min are allowed\)/)
    await watching.end()
  })

  test('does not fail for a queue that is empty, or whose store is away, or whose worker takes one after the other', async () => {
    let begun = 0
    const outsides = [
      { waiting: 0, canConnect: true },
      { waiting: null, canConnect: true },
      { waiting: 3, canConnect: true, begun: () => begun++ },
    ]
    for (const outside of outsides) {
      const { watching, judgedAfter } = watched(outside)
      expect(await judgedAfter(30 * minute)).toEqual({ live: true })
      await watching.end()
    }
  })

  test('fails when a worker of a queue has ended, also where nothing waits', async () => {
    const { watching, judgedAfter } = watched({ waiting: 0, canConnect: true, asking: false })
    expect((await judgedAfter(6 * minute)).live).toBe(false)
    await watching.end()
  })

  test('fails when the timers of the process do not go off', async () => {
    const { clock, watching, judgedAfter, progress } = watched({ waiting: 0, canConnect: true })
    await watching.end()
    progress.watch('timers', minute)
    await clock.advance(0)
    expect((await judgedAfter(2 * minute)).problems?.[0]).toMatch(/^this process's timers do not go off, for 2 min/)
  })

  test('a worker stands still only where it could have done something', () => {
    const worker = { name: 'issue' as const, asking: true, begun: 4, underWay: 0 }
    expect(standsStill(worker, 4, 1)).toBe(true)
    expect(standsStill(worker, 4, 0)).toBe(false)
    expect(standsStill(worker, 3, 1)).toBe(false)
    expect(standsStill({ ...worker, underWay: 1 }, 4, 1)).toBe(false)
    expect(standsStill({ ...worker, asking: false }, 3, 0)).toBe(true)
  })
})

describeWithDatabase('a worker', () => {
  test.concurrent('whose Redis goes away is live, not ready, and shows what its database has', async () => {
    const redis = await startRedis()
    if (!redis) return expect(process.env.CI).toBeUndefined()
    await using stack = new AsyncDisposableStack()
    stack.defer(() => redis.stop())
    const world = stack.use(await openMeteredWorld({ redisUrl: redis.url }))
    const worker = await startWorker(world.app)
    stack.defer(async () => void (await worker?.stop()))
    expect((await readMetrics(world.web.url)).value('credsync_queue_up')).toBe(1)
    await redis.stop()
    const ready = async () => (await fetch(`${world.web.url}/health/ready`)).json() as Promise<Ready>
    await seen('not ready', async () => !(await ready()).ready)
    expect(await ready()).toMatchObject({ database: true, queues: false })
    expect((await ready()).problems[0]).toMatch(/^the queue's store does not answer/)
    expect(await (await fetch(`${world.web.url}/health/live`)).json()).toEqual({ live: true })
    await seen('no depths', async () => (await readMetrics(world.web.url)).value('credsync_queue_jobs') === undefined)
    const page = await readMetrics(world.web.url)
    expect(page.value('credsync_queue_up')).toBe(0)
    expect(page.value('credsync_database_up')).toBe(1)
    expect(page.value('credsync_rows')).toBe(0)
    await redis.startAgain()
    await seen('ready again', async () => (await ready()).ready)
  })

  test.concurrent('whose Redis takes no writes is not ready, and is again once it does', async () => {
    const redis = await startRedis()
    if (!redis) return expect(process.env.CI).toBeUndefined()
    await using stack = new AsyncDisposableStack()
    stack.defer(() => redis.stop())
    const operator = new Redis(redis.url)
    stack.defer(() => operator.disconnect())
    const world = stack.use(await openMeteredWorld({ redisUrl: redis.url }))
    const worker = await startWorker(world.app)
    stack.defer(async () => void (await worker?.stop()))
    const ready = async () => (await fetch(`${world.web.url}/health/ready`)).json() as Promise<Ready>
    await seen('ready', async () => (await ready()).ready)
    await operator.config('SET', 'maxmemory', '1')
    await seen('not ready', async () => !(await ready()).ready)
    expect(await ready()).toMatchObject({ database: true, queues: false })
    expect((await ready()).problems[0]).toMatch(/takes no writes/)
    await seen('not up', async () => (await readMetrics(world.web.url)).value('credsync_queue_up') === 0)
    await operator.config('SET', 'maxmemory', '0')
    await seen('ready again', async () => (await ready()).ready)
  })

  test('whose database takes no writing, as after a failover to a standby, is not ready', async () => {
    await using of = await testDatabase()
    const url = new URL(of.url)
    url.searchParams.set('options', '-c default_transaction_read_only=on')
    await using standby = openDatabase(url.href)
    await using primary = openDatabase(of.url)
    const whole = { queues: { healthy: async () => true } as never, learning: { unusable: [] } }
    const parts = { ...whole, ...watched({ waiting: 0, canConnect: true }) }
    expect(await openHealth({ ...parts, database: primary }).stores()).toEqual({ database: true, queues: true })
    expect(await openHealth({ ...parts, database: standby }).stores()).toEqual({ database: false, queues: true })
    await parts.watching.end()
  })

  test.concurrent.each(['cut', 'freeze'] as const)(
    'whose database goes away is live, not ready, and shows its own figures (%s)',
    async (manner) => {
      await using stack = new AsyncDisposableStack()
      const ways: Awaited<ReturnType<typeof cuttableProxy>>[] = []
      const wayToDatabase = async (url: string) => {
        const proxy = await cuttableProxy(url)
        ways.push(proxy)
        return proxy.url
      }
      const world = stack.use(await openMeteredWorld({ wayToDatabase }))
      const [proxy] = ways
      if (!proxy) throw new Error('There is no proxy.')
      const worker = await startWorker(world.app)
      stack.defer(async () => {
        await proxy.mend()
        await worker?.stop()
      })
      const look = async (path: string) => {
        const answer = await fetch(`${world.web.url}${path}`)
        return { status: answer.status, body: (await answer.json()) as Ready }
      }
      expect(await look('/health/ready')).toEqual({
        status: 200,
        body: { ready: true, database: true, queues: true, stopping: false, problems: [] },
      })

      await proxy[manner]()
      await seen('not ready', async () => (await look('/health/ready')).status === 503)
      const began = performance.now()
      const [page, live, ready] = await Promise.all([
        readMetrics(world.web.url),
        look('/health/live'),
        look('/health/ready'),
      ])
      // Two seconds is what it waits, and a connection ten; the rest is for a busy machine.
      expect(performance.now() - began).toBeLessThan(8_000)
      expect(page.value('credsync_database_up')).toBe(0)
      expect(page.value('credsync_rows')).toBeUndefined()
      expect(page.value('credsync_workers')).toBeUndefined()
      expect(page.value('process_cpu_seconds_total')).toBeGreaterThan(0)
      expect(page.value('credsync_events_total', { event: 'worker.started' })).toBe(1)
      expect(live).toEqual({ status: 200, body: { live: true } })
      expect(ready.body).toMatchObject({ ready: false, database: false, stopping: false })
      expect(ready.body.problems[0]).toMatch(
        /^the database has not answered within 2 s or takes no writing: see that PostgreSQL runs/,
      )

      await proxy.mend()
      await seen('ready again', async () => (await look('/health/ready')).status === 200)
      await seen(
        'its figures',
        async () => (await readMetrics(world.web.url)).value('credsync_rows', { state: 'issued' }) === 0,
      )
      world.web.unready()
      expect((await look('/health/ready')).body).toMatchObject({ ready: false, stopping: true })
    },
  )
})
