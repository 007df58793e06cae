// What only queues in PostgreSQL need: tables that are created, clocks that agree, and connections that are closed.

import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { ClockSkewError } from '#src/platform/queue/clock-skew.ts'
import { openQueues, type QueueBackend } from '#src/platform/queue/open-queues.ts'
import { done } from '#src/platform/queue/verdict.ts'
import { type Clock, systemClock } from '#src/platform/time/clock.ts'
import { describeWithDatabase, emptyDatabase } from '#test/support/database.ts'
import { openTestQueues } from './open-test-queues.ts'

describeWithDatabase('with the queues in PostgreSQL,', () => {
  test('many processes can open the queues of an empty database at the same time', async () => {
    const { backend } = await openEmptyBackend()
    const all = await Promise.all(Array.from({ length: 6 }, () => openTestQueues(backend)))
    for (const [index, queues] of all.entries())
      expect(await queues.enqueue('sweep', {}), `process ${index}`).toBe(true)
    expect(await all[0]?.counts()).toMatchObject({ sweep: 6 })
  })

  test('the tables are in the configured schema and nowhere else', async () => {
    const { backend, query } = await openEmptyBackend()
    await openTestQueues(backend)
    const tables = await query(
      "SELECT DISTINCT table_schema FROM information_schema.tables WHERE table_schema NOT IN ('pg_catalog', 'information_schema')",
    )
    expect(tables).toEqual([{ table_schema: 'credsync_queue' }])
  })

  test.each([
    [120_000, 'ahead of'],
    [-120_000, 'behind'],
  ])('a clock that differs by %i ms prevents the worker from starting', async (offMs, side) => {
    const { backend } = await openEmptyBackend()
    const failure = await openQueues({ backend, onFault: () => {}, clock: clockOffBy(offMs) }).catch((error) => error)
    expect(failure).toBeInstanceOf(ClockSkewError)
    expect(failure.message).toContain(side)
    expect(Math.abs(failure.skewMs - offMs)).toBeLessThan(1_000)
  })

  test('a clock that differs by half a second does not matter', async () => {
    const { backend } = await openEmptyBackend()
    const queues = await openQueues({ backend, onFault: () => {}, clock: clockOffBy(500) })
    expect(await queues.stop(0)).toEqual({ unfinished: 0 })
  })

  test('stopping closes every connection, even if a running job is abandoned', async () => {
    const { backend, query } = await openEmptyBackend()
    const queues = await openTestQueues(backend)
    const release = Promise.withResolvers<void>()
    onTestFinished(() => release.resolve())
    const started = Promise.withResolvers<void>()
    await queues.work('write-back', async () => done())
    await queues.work('intake', async () => {
      started.resolve()
      await release.promise
      return done()
    })
    await queues.enqueue('intake', { runId: 'r1' })
    await started.promise
    expect(await queues.stop(0)).toEqual({ unfinished: 1 })
    const others =
      'SELECT count(*)::int AS open FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()'
    await expect.poll(() => query(others)).toEqual([{ open: 0 }])
  })
})

async function openEmptyBackend(): Promise<{ backend: QueueBackend; query: (sql: string) => Promise<unknown[]> }> {
  const database = await emptyDatabase()
  const client = new pg.Client(database.url)
  await client.connect()
  onTestFinished(async () => {
    await client.end()
    await database.drop()
  })
  const query = async (sql: string) => (await client.query(sql)).rows
  return { backend: { kind: 'postgres', url: database.url, schema: 'credsync_queue' }, query }
}

function clockOffBy(ms: number): Clock {
  return { ...systemClock, now: () => new Date(systemClock.now().getTime() + ms) }
}
