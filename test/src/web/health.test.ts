// The health pages: `live` calls no other system and detects blocked loops, and `ready` quickly reports what is
// unavailable. The metrics work without the database.

import { Redis } from 'ioredis'
import { describe, expect, test } from 'vitest'
import { noReapAuthority } from '#jobs/worker/rescue-orphans.ts'
import { startSweepLoop } from '#jobs/worker/sweep-loop.ts'
import { isStalled, startWatchdog } from '#jobs/worker/watchdog.ts'
import { startWorker } from '#jobs/worker.ts'
import type { App } from '#src/app/app.ts'
import { stopSending } from '#src/ledger/attempts/commit-claim.ts'
import { openDatabase } from '#src/platform/database/database.ts'
import { DatabaseUnreachableError } from '#src/platform/database/database-error.ts'
import type { QueueDepth, QueueName } from '#src/platform/queue/open-queues.ts'
import { queueNames } from '#src/platform/queue/queues.ts'
import { openLoopProgress } from '#src/platform/time/loop-progress.ts'
import { checkLive, openHealth, type Readiness } from '#src/web/health.ts'
import { cuttableProxy } from '#test/src/platform/queue/cuttable-proxy.ts'
import { notedClock, steppedClock } from '#test/support/clock.ts'
import { describeWithDatabase, testDatabase } from '#test/support/database.ts'
import { openMeteredWorld } from '#test/support/metered-world.ts'
import { readCompleteMetrics, readMetrics } from '#test/support/read-metrics.ts'
import { startRedis } from '#test/support/redis-server.ts'
import { until } from '#test/support/until.ts'

const minute = 60_000
const moodle = { type: 'moodle', url: 'http://127.0.0.1:9', token: 'a-token-of-the-account' }

/** Checks only every 150 ms, because every check costs the worker time. */
const waitUntil = (what: string, condition: () => Promise<boolean>) => until(what, condition, { everyMs: 150 })

/**
 * Starts a watchdog on a manual clock, with given contents of its queues and a database that accepts connections or
 * not.
 */
function openWatchdog(outside: {
  waiting: number | null
  canConnect: boolean
  startedCount?: () => number
  isRequesting?: boolean
}) {
  const clock = steppedClock()
  const progress = openLoopProgress(clock)
  const empty: QueueDepth = { waiting: 0, active: 0, delayed: 0, failed: 0 }
  const queues = {
    depths: async () => {
      if (outside.waiting === null) throw new Error('away')
      const all = queueNames.map((name) => [name, name === 'issue' ? { ...empty, waiting: outside.waiting } : empty])
      return Object.fromEntries(all) as Record<QueueName, QueueDepth>
    },
    working: () => [
      {
        name: 'issue' as const,
        isRequesting: outside.isRequesting ?? true,
        startedCount: outside.startedCount?.() ?? 0,
        unfinishedCount: 0,
      },
    ],
  }
  const watching = startWatchdog({
    clock,
    progress,
    queues: queues as never,
    canConnect: async () => outside.canConnect,
  })
  const liveAfter = async (ms: number) => {
    await clock.advance(ms)
    return checkLive(progress.stalled())
  }
  return { clock, progress, watching, liveAfter }
}

describe('live', () => {
  test('fails if the sweep has been blocked for longer than a database outage could explain', async () => {
    const { progress, watching, liveAfter } = openWatchdog({ waiting: 0, canConnect: true })
    progress.watch('sweep', 10 * minute)
    expect(await liveAfter(9 * minute)).toEqual({ live: true })
    const { live, problems } = await liveAfter(2 * minute)
    expect(live).toBe(false)
    expect(problems).toEqual([
      'the sweep has not completed a pass, for 11 min (10 min are allowed), although nothing outside this process prevents it: restart the process',
    ])
    await watching.end()
  })

  test('does not fail while the sweep waits for a database that accepts no connections', async () => {
    const outside = { waiting: 0, canConnect: false }
    const { progress, watching, liveAfter } = openWatchdog(outside)
    progress.watch('sweep', 10 * minute)
    for (let hours = 0; hours < 3; hours++) expect(await liveAfter(60 * minute)).toEqual({ live: true })
    // The database is back and the sweep is still blocked, so the process itself is at fault.
    outside.canConnect = true
    expect((await liveAfter(11 * minute)).live).toBe(false)
    await watching.end()
  })

  test.each([
    ['fails', 'lost the connections that it had', new DatabaseUnreachableError('none is free'), true],
    ['does not fail', 'gets a connection and then an error', new Error('the disk is full'), true],
    [
      'does not fail',
      'gets no connection, and neither does any other client',
      new DatabaseUnreachableError('away'),
      false,
    ],
  ])('%s when every sweep %s', async (verdict, _, error, canConnect) => {
    const { clock, progress, watching, liveAfter } = openWatchdog({ waiting: 0, canConnect })
    const faults: string[] = []
    const sweeping = startSweepLoop(
      {
        clock,
        progress,
        tuning: { sweepMs: 1_000 },
        ledger: { version: { check: async () => {} }, locks: { withLock: () => Promise.reject(error) } },
        log: { event: (name: string) => faults.push(name) },
      } as unknown as App,
      noReapAuthority,
      false,
    )
    expect((await liveAfter(11 * minute)).live).toBe(verdict !== 'fails')
    expect(faults.length).toBeGreaterThan(600)
    await sweeping.stop()
    await watching.end()
  })

  test('fails if jobs wait and the worker of their queue takes none', async () => {
    const { watching, liveAfter } = openWatchdog({ waiting: 3, canConnect: true })
    expect(await liveAfter(4 * minute)).toEqual({ live: true })
    const { problems = [] } = await liveAfter(2 * minute)
    expect(problems[0]).toMatch(/^the worker of the queue issue takes no jobs, for \d min \(5 min are allowed\)/)
    await watching.end()
  })

  test('does not fail for a queue that is empty, whose store is unavailable, or whose worker takes one job after the other', async () => {
    let startedCount = 0
    const conditions = [
      { waiting: 0, canConnect: true },
      { waiting: null, canConnect: true },
      { waiting: 3, canConnect: true, startedCount: () => startedCount++ },
    ]
    for (const outside of conditions) {
      const { watching, liveAfter } = openWatchdog(outside)
      expect(await liveAfter(30 * minute)).toEqual({ live: true })
      await watching.end()
    }
  })

  test('fails if the worker of a queue has ended, even if nothing waits', async () => {
    const { watching, liveAfter } = openWatchdog({ waiting: 0, canConnect: true, isRequesting: false })
    expect((await liveAfter(6 * minute)).live).toBe(false)
    await watching.end()
  })

  test('fails if the timers of the process do not fire', async () => {
    const { clock, watching, liveAfter, progress } = openWatchdog({ waiting: 0, canConnect: true })
    await watching.end()
    progress.watch('timers', minute)
    await clock.advance(0)
    expect((await liveAfter(2 * minute)).problems?.[0]).toMatch(/^this process's timers do not fire, for 2 min/)
  })

  test('does not count a worker as blocked if it had no work', () => {
    const worker = { name: 'issue' as const, isRequesting: true, startedCount: 4, unfinishedCount: 0 }
    expect(isStalled(worker, 4, 1)).toBe(true)
    expect(isStalled(worker, 4, 0)).toBe(false)
    expect(isStalled(worker, 3, 1)).toBe(false)
    expect(isStalled({ ...worker, unfinishedCount: 1 }, 4, 1)).toBe(false)
    expect(isStalled({ ...worker, isRequesting: false }, 3, 0)).toBe(true)
  })
})

test('ready asks the database and the queues once, and again two seconds after their answers', async () => {
  const { clock, progress, watching } = openWatchdog({ waiting: 0, canConnect: true })
  const asked = { database: 0, queues: 0 }
  const health = openHealth({
    clock,
    progress,
    ledger: { sendingStops: { stops: async () => [] } },
    database: { query: async () => ({ rows: [{ writes: ++asked.database > 0 }] }) } as never,
    queues: { healthy: async () => ++asked.queues > 0 } as never,
  })
  for (const [ms, times] of [
    [0, 1],
    [1_999, 1],
    [1, 2],
  ] as const) {
    await clock.advance(ms)
    expect(await health.ready()).toMatchObject({ ready: true })
    expect(asked).toEqual({ database: times, queues: times })
  }
  await watching.end()
})

describeWithDatabase('a worker', () => {
  test.concurrent('with a stalled loop says so by its HTTP status, at which a supervisor restarts it, and is not ready', async () => {
    await using world = await openMeteredWorld()
    const ask = (page: string) => fetch(`${world.web.url}/health/${page}`)
    expect([(await ask('live')).status, (await ask('ready')).status]).toEqual([200, 200])
    // No iteration is so short, so the loop is overdue immediately.
    world.app.progress.watch('sweep', -1)
    expect((await ask('live')).status).toBe(503)
    const answer = await ask('ready')
    expect(answer.status).toBe(503)
    expect(await answer.json()).toMatchObject({
      ready: false,
      problems: [expect.stringMatching(/^the sweep has not completed a pass/)],
    })
  })

  test.concurrent('whose Redis becomes unavailable is live, not ready, and shows the figures of its database', async () => {
    const redis = await startRedis()
    if (!redis) return expect(process.env.CI).toBeUndefined()
    await using stack = new AsyncDisposableStack()
    stack.defer(() => redis.stop())
    const world = stack.use(await openMeteredWorld({ redisUrl: redis.url }))
    const worker = await startWorker(world.app)
    stack.defer(async () => void (await worker?.stop()))
    await readCompleteMetrics(world.web.url)
    await redis.stop()
    const ready = async () => (await fetch(`${world.web.url}/health/ready`)).json() as Promise<Readiness>
    await waitUntil('not ready', async () => !(await ready()).ready)
    expect(await ready()).toMatchObject({ database: true, queues: false })
    expect((await ready()).problems[0]).toMatch(/^the queue's store does not answer/)
    expect(await (await fetch(`${world.web.url}/health/live`)).json()).toEqual({ live: true })
    await waitUntil(
      'no depths',
      async () => (await readMetrics(world.web.url)).value('credsync_queue_jobs') === undefined,
    )
    const page = await readMetrics(world.web.url)
    expect(page.value('credsync_queue_up')).toBe(0)
    expect(page.value('credsync_database_up')).toBe(1)
    expect(page.value('credsync_rows')).toBe(0)
    await redis.startAgain()
    await waitUntil('ready again', async () => (await ready()).ready)
  })

  test.concurrent('whose Redis refuses writes is not ready until Redis accepts them again', async () => {
    const redis = await startRedis()
    if (!redis) return expect(process.env.CI).toBeUndefined()
    await using stack = new AsyncDisposableStack()
    stack.defer(() => redis.stop())
    const operator = new Redis(redis.url)
    stack.defer(() => operator.disconnect())
    const world = stack.use(await openMeteredWorld({ redisUrl: redis.url }))
    const worker = await startWorker(world.app)
    stack.defer(async () => void (await worker?.stop()))
    const ready = async () => (await fetch(`${world.web.url}/health/ready`)).json() as Promise<Readiness>
    await waitUntil('ready', async () => (await ready()).ready)
    await operator.config('SET', 'maxmemory', '1')
    await waitUntil('not ready', async () => !(await ready()).ready)
    expect(await ready()).toMatchObject({ database: true, queues: false })
    expect((await ready()).problems[0]).toMatch(/accepts no writes/)
    await waitUntil('not up', async () => (await readMetrics(world.web.url)).value('credsync_queue_up') === 0)
    await operator.config('SET', 'maxmemory', '0')
    await waitUntil('ready again', async () => (await ready()).ready)
  })

  test('whose database refuses writes, as after a failover to a standby, is not ready', async () => {
    await using testPostgres = await testDatabase()
    const url = new URL(testPostgres.url)
    url.searchParams.set('options', '-c default_transaction_read_only=on')
    await using standby = openDatabase(url.href)
    await using primary = openDatabase(testPostgres.url)
    let takesJobs = true
    const otherParts = {
      queues: { healthy: async () => takesJobs } as never,
      learning: { unusable: [] },
      ledger: {
        learningSystems: { statuses: async () => [] },
        sendingStops: { stops: async () => [] },
        deliveries: { refusedTargets: async () => [] },
      },
    }
    const parts = { ...otherParts, ...openWatchdog({ waiting: 0, canConnect: true }) }
    expect(await openHealth({ ...parts, database: primary }).stores()).toEqual({ database: true, queues: true })
    expect(await openHealth({ ...parts, database: standby }).stores()).toEqual({ database: false, queues: true })
    takesJobs = false
    expect(await openHealth({ ...parts, database: primary }).stores()).toEqual({ database: true, queues: false })
    await parts.watching.end()
  })

  test.concurrent('that no longer takes jobs from its queues is not ready, and its pages say so', async () => {
    await using world = await openMeteredWorld()
    const { app, web } = world
    const worker = await startWorker(app)
    expect((await fetch(`${web.url}/health/ready`)).status).toBe(200)
    await app.queues.stop(0)
    const answer = async () => (await fetch(`${web.url}/health/ready`)).json() as Promise<Readiness>
    await waitUntil('not ready', async () => !(await answer()).ready)
    expect(await answer()).toMatchObject({
      ...{ ready: false, database: true, queues: false, stopping: false },
      problems: [expect.stringContaining('or a worker of a queue has ended')],
    })
    expect((await readMetrics(web.url)).value('credsync_queue_up')).toBe(0)
    await worker?.stop()
  })

  test('is ready while sending is stopped or a system is unavailable, and says so, but not of a system that was removed', async () => {
    await using world = await openMeteredWorld({ file: { systems: { campus: moodle, former: moodle } } })
    const { database, ledger } = world.app
    await ledger.learningSystems.register(['campus', 'former'])
    for (const system of ['campus', 'former']) await ledger.learningSystems.noteAway(system, 'HTTP 503')
    await ledger.learningSystems.register(['campus'])
    await database.transaction((sql) => stopSending(sql, ledger.environment, 'a test stopped it'))
    const answer = await fetch(`${world.web.url}/health/ready`)
    const { notices = [], ...ready } = (await answer.json()) as Readiness
    expect([answer.status, ready]).toEqual([
      200,
      { ready: true, database: true, queues: true, stopping: false, problems: [] },
    ])
    expect(notices).toEqual([
      expect.stringContaining('a test stopped it'),
      expect.stringMatching(/^the learning system campus has been unavailable since .* UTC: HTTP 503$/),
    ])
  })

  test.concurrent.each(['cut', 'freeze'] as const)(
    'whose database becomes unavailable is live, not ready, and shows its own figures (%s)',
    async (outage) => {
      await using stack = new AsyncDisposableStack()
      const proxies: Awaited<ReturnType<typeof cuttableProxy>>[] = []
      const databaseProxy = async (url: string) => {
        const proxy = await cuttableProxy(url)
        proxies.push(proxy)
        return proxy.url
      }
      const clock = notedClock()
      const world = stack.use(await openMeteredWorld({ databaseProxy, webClock: clock }))
      const [proxy] = proxies
      if (!proxy) throw new Error('The world opened no connection through a proxy.')
      const worker = await startWorker(world.app)
      stack.defer(async () => {
        await proxy.restore()
        await worker?.stop()
      })
      const getPage = async (path: string) => {
        const answer = await fetch(`${world.web.url}${path}`)
        return { status: answer.status, body: (await answer.json()) as Readiness }
      }
      expect(await getPage('/health/ready')).toEqual({
        status: 200,
        body: { ready: true, database: true, queues: true, stopping: false, problems: [] },
      })

      await proxy[outage]()
      // Status 503 is not enough: the queues may cause it while an earlier answer about the database is still cached.
      await waitUntil('not ready', async () => !(await getPage('/health/ready')).body.database)
      expect((await getPage('/health/ready')).status).toBe(503)
      const before = clock.slept.length
      const [page, live, ready] = await Promise.all([
        readMetrics(world.web.url),
        getPage('/health/live'),
        getPage('/health/ready'),
      ])
      // The pages wait two seconds, not until the connection times out.
      expect(new Set([2_000, ...clock.slept.slice(before)])).toEqual(new Set([2_000]))
      expect(page.value('credsync_database_up')).toBe(0)
      expect(page.value('credsync_rows')).toBeUndefined()
      expect(page.value('credsync_workers')).toBeUndefined()
      expect(page.value('process_cpu_seconds_total')).toBeGreaterThan(0)
      expect(page.value('credsync_events_total', { event: 'worker.started' })).toBe(1)
      expect(live).toEqual({ status: 200, body: { live: true } })
      expect(ready.body).toMatchObject({ ready: false, database: false, stopping: false })
      expect(ready.body.problems[0]).toMatch(
        /^the database has not answered within 2 s or accepts no writes: check that PostgreSQL is running/,
      )

      await proxy.restore()
      await waitUntil('ready again', async () => (await getPage('/health/ready')).status === 200)
      await waitUntil(
        'its figures',
        async () => (await readMetrics(world.web.url)).value('credsync_rows', { state: 'issued' }) === 0,
      )
      world.web.unready('A newer version has changed the ledger.')
      const outdated = { ready: false, stopping: true, problems: ['A newer version has changed the ledger.'] }
      expect((await getPage('/health/ready')).body).toMatchObject(outdated)
      world.web.unready(null)
      const stopping = { ready: false, stopping: true, problems: ['this worker is stopping: it takes no new work'] }
      expect((await getPage('/health/ready')).body).toMatchObject(stopping)
    },
  )
})
