// What the queues do while their store is away: say so within two seconds, and come back by themselves.

import { expect, onTestFinished, test } from 'vitest'
import { openQueues, type QueueBackend } from '#src/queue/open-queues.ts'
import { done } from '#src/queue/verdict.ts'
import { systemClock } from '#src/time/clock.ts'
import { describeWithDatabase, emptyDatabase } from '#test/support/database.ts'
import { describeWithRedis } from '#test/support/redis.ts'
import { freePort, startRedis } from '#test/support/redis-server.ts'
import { cuttableProxy } from './cuttable-proxy.ts'
import { arrivals, opened } from './opened.ts'

describeWithDatabase('with PostgreSQL away', () => {
  surviveOutages(async () => {
    const database = await emptyDatabase()
    onTestFinished(() => database.drop())
    const proxy = await cuttableProxy(database.url)
    onTestFinished(() => proxy.close())
    return { proxy, backend: { kind: 'postgres', url: proxy.url, schema: 'credsync_queue' } }
  })
})

describeWithRedis('with Redis away', ({ url, prefix }) => {
  surviveOutages(async () => {
    const proxy = await cuttableProxy(url)
    onTestFinished(() => proxy.close())
    return { proxy, backend: { kind: 'redis', url: proxy.url, prefix: prefix() } }
  })

  test('asking a server that was stopped answers false, and works again once it is back, empty', async () => {
    const server = await startRedis()
    if (!server) throw new Error('CREDSYNC_TEST_REDIS is set but there is no redis-server on the PATH.')
    onTestFinished(() => server.stop())
    const queues = await opened({ kind: 'redis', url: server.url })
    const runs = arrivals<string>()
    await queues.work('intake', async ({ runId }) => {
      runs.add(runId)
      return done()
    })
    await server.stop()
    await expectRefusal(() => queues.ask('intake', { runId: 'lost' }))
    await server.startAgain()
    await expect.poll(() => queues.ask('intake', { runId: 'found' }), { timeout: 20_000 }).toBe(true)
    expect(await runs.next()).toBe('found')
  })
})

type Away = { proxy: Awaited<ReturnType<typeof cuttableProxy>>; backend: QueueBackend }

function surviveOutages(prepare: () => Promise<Away>): void {
  test.each(['cut', 'freeze'] as const)(
    'asking when the connection is %s answers false within about two seconds',
    async (way) => {
      const { proxy, backend } = await prepare()
      const queues = await opened(backend)
      expect(await queues.ask('intake', { runId: 'before' })).toBe(true)
      await proxy[way]()
      await expectRefusal(() => queues.ask('intake', { runId: 'meanwhile' }))
      await expectRefusal(() => queues.healthy())
      await expect(queues.counts()).rejects.toThrow()
      await proxy.mend()
      await expect.poll(() => queues.ask('intake', { runId: 'after' }), { timeout: 20_000 }).toBe(true)
      expect(await queues.healthy()).toBe(true)
    },
  )

  test('a worker goes on by itself after the connection was cut', async () => {
    const { proxy, backend } = await prepare()
    const queues = await opened(backend)
    const runs = arrivals<string>()
    await queues.work('intake', async ({ runId }) => {
      runs.add(runId)
      return done()
    })
    await queues.ask('intake', { runId: 'before' })
    expect(await runs.next()).toBe('before')
    await proxy.cut()
    await expectRefusal(() => queues.ask('intake', { runId: 'meanwhile' }))
    await proxy.mend()
    await expect.poll(() => queues.ask('intake', { runId: 'after' }), { timeout: 20_000 }).toBe(true)
    const seen = new Set<string>()
    while (!seen.has('after')) seen.add(await runs.next())
    expect(queues.faults.length).toBeGreaterThan(0)
    expect(queues.faults.join()).not.toMatch(/127\.0\.0\.1|connect /)
  })

  test.each(['cut', 'freeze'] as const)('stopping ends though the connection is %s', async (way) => {
    const { proxy, backend } = await prepare()
    const queues = await opened(backend)
    await queues.work('intake', async () => done())
    await proxy[way]()
    const began = performance.now()
    expect(await queues.stop(30_000)).toEqual({ unfinished: 0 })
    expect(performance.now() - began).toBeLessThan(10_000)
  })
}

test.each([
  ['redis', (port: number): QueueBackend => ({ kind: 'redis', url: `redis://:planted-password@127.0.0.1:${port}` })],
  [
    'postgres',
    (port: number): QueueBackend => ({
      kind: 'postgres',
      url: `postgres://app:planted-password@127.0.0.1:${port}/ledger`,
      schema: 'credsync_queue',
    }),
  ],
])('opening with nobody at the %s address says so without the password', async (_, backend) => {
  const settings = { backend: backend(await freePort()), onFault: () => {}, clock: systemClock }
  const failure = await openQueues(settings).catch((error) => error)
  expect(failure).toMatchObject({ name: 'QueueUnreachableError', code: 'QUEUE_UNREACHABLE' })
  expect(String(failure.stack)).not.toContain('planted-password')
})

async function expectRefusal(attempt: () => Promise<boolean>): Promise<void> {
  const began = performance.now()
  expect(await attempt()).toBe(false)
  expect(performance.now() - began).toBeLessThan(3_500)
}
