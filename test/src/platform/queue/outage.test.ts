// The queues while their store is unavailable: calls report it within two seconds, and the queues recover without help.

import { expect, onTestFinished, test } from 'vitest'
import { openQueues, type QueueBackend } from '#src/platform/queue/open-queues.ts'
import { done } from '#src/platform/queue/verdict.ts'
import { systemClock } from '#src/platform/time/clock.ts'
import { type NotedClock, notedClock } from '#test/support/clock.ts'
import { describeWithDatabase, emptyDatabase } from '#test/support/database.ts'
import { describeWithRedis } from '#test/support/describe-with-redis.ts'
import { freePort, startRedis } from '#test/support/redis-server.ts'
import { cuttableProxy } from './cuttable-proxy.ts'
import { openTestQueues, recordArrivals } from './open-test-queues.ts'

describeWithDatabase('with PostgreSQL unavailable', () => {
  testOutages(async () => {
    const database = await emptyDatabase()
    onTestFinished(() => database.drop())
    const proxy = await cuttableProxy(database.url)
    onTestFinished(() => proxy.close())
    return { proxy, backend: { kind: 'postgres', url: proxy.url, schema: 'credsync_queue' } }
  })
})

describeWithRedis('with Redis unavailable', ({ url, prefix }) => {
  testOutages(async () => {
    const proxy = await cuttableProxy(url)
    onTestFinished(() => proxy.close())
    return { proxy, backend: { kind: 'redis', url: proxy.url, prefix: prefix() } }
  })

  test('adding a job to a stopped server returns false, and works again once the server is back, without its data', async () => {
    const server = await startRedis()
    if (!server) throw new Error('CREDSYNC_TEST_REDIS is set but there is no redis-server on the PATH.')
    onTestFinished(() => server.stop())
    const clock = notedClock()
    const queues = await openTestQueues({ kind: 'redis', url: server.url }, clock)
    const runs = recordArrivals<string>()
    await queues.work('intake', async ({ runId }) => {
      runs.add(runId)
      return done()
    })
    await server.stop()
    await expectRefusal(clock, () => queues.enqueue('intake', { runId: 'lost' }))
    await server.startAgain()
    await expect.poll(() => queues.enqueue('intake', { runId: 'found' }), { timeout: 240_000 }).toBe(true)
    expect(await runs.next()).toBe('found')
  })
})

type Proxied = { proxy: Awaited<ReturnType<typeof cuttableProxy>>; backend: QueueBackend }

function testOutages(prepare: () => Promise<Proxied>): void {
  test.each(['cut', 'freeze'] as const)(
    'adding a job after a %s of the connection returns false within about two seconds',
    async (way) => {
      const { proxy, backend } = await prepare()
      const clock = notedClock()
      const queues = await openTestQueues(backend, clock)
      expect(await queues.enqueue('intake', { runId: 'before' })).toBe(true)
      await proxy[way]()
      await expectRefusal(clock, () => queues.enqueue('intake', { runId: 'meanwhile' }))
      await expectRefusal(clock, () => queues.healthy())
      if (way === 'freeze') expect(clock.slept).toContain(2_000)
      await expect(queues.counts()).rejects.toThrow()
      await proxy.restore()
      await expect.poll(() => queues.enqueue('intake', { runId: 'after' }), { timeout: 240_000 }).toBe(true)
      expect(await queues.healthy()).toBe(true)
    },
  )

  test('a worker continues after the connection was cut', async () => {
    const { proxy, backend } = await prepare()
    const clock = notedClock()
    const queues = await openTestQueues(backend, clock)
    const runs = recordArrivals<string>()
    await queues.work('intake', async ({ runId }) => {
      runs.add(runId)
      return done()
    })
    await queues.enqueue('intake', { runId: 'before' })
    expect(await runs.next()).toBe('before')
    await proxy.cut()
    await expectRefusal(clock, () => queues.enqueue('intake', { runId: 'meanwhile' }))
    await proxy.restore()
    await expect.poll(() => queues.enqueue('intake', { runId: 'after' }), { timeout: 240_000 }).toBe(true)
    const seen = new Set<string>()
    while (!seen.has('after')) seen.add(await runs.next())
    expect(queues.faults.length).toBeGreaterThan(0)
    expect(queues.faults.join()).not.toMatch(/127\.0\.0\.1|connect /)
  })

  test.each(['cut', 'freeze'] as const)('stopping finishes even after a %s of the connection', async (way) => {
    const { proxy, backend } = await prepare()
    const queues = await openTestQueues(backend)
    await queues.work('intake', async () => done())
    await proxy[way]()
    // Finishes long before this deadline, which is longer than the test's own.
    expect(await queues.stop(3_600_000)).toEqual({ unfinished: 0 })
  })
}

test.each([
  [
    'redis',
    'QueueUnreachableError',
    (port: number): QueueBackend => ({ kind: 'redis', url: `redis://:planted-password@127.0.0.1:${port}` }),
  ],
  [
    'postgres',
    'DatabaseUnreachableError',
    (port: number): QueueBackend => ({
      kind: 'postgres',
      url: `postgres://app:planted-password@127.0.0.1:${port}/ledger`,
      schema: 'credsync_queue',
    }),
  ],
])('opening queues with no server at the %s address fails without revealing the password', async (_, name, backend) => {
  const settings = { backend: backend(await freePort()), onFault: () => {}, clock: systemClock }
  const failure = await openQueues(settings).catch((error) => error)
  expect(failure).toMatchObject({ name })
  expect(String(failure.stack)).not.toContain('planted-password')
})

/** Expects false, after a wait that is bounded by our own deadline and not by the driver's longer one. */
async function expectRefusal({ slept }: NotedClock, attempt: () => Promise<boolean>): Promise<void> {
  const before = slept.length
  expect(await attempt()).toBe(false)
  expect(Math.max(0, ...slept.slice(before))).toBeLessThanOrEqual(2_000)
}
