// What is special about the queues in PostgreSQL: tables to make, a clock to agree on, connections to give back.

import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { ClockSkewError } from '#src/queue/clock-skew.ts'
import { openQueues, type QueueBackend } from '#src/queue/open-queues.ts'
import { done } from '#src/queue/verdict.ts'
import { type Clock, systemClock } from '#src/time/clock.ts'
import { describeWithDatabase, emptyDatabase } from '#test/support/database.ts'
import { opened } from './opened.ts'

describeWithDatabase('the queues in PostgreSQL', () => {
  test('many processes that start at once on an empty database all open', async () => {
    const { backend } = await fresh()
    const all = await Promise.all(Array.from({ length: 6 }, () => opened(backend)))
    for (const [index, queues] of all.entries()) expect(await queues.ask('sweep', {}), `process ${index}`).toBe(true)
    expect(await all[0]?.counts()).toMatchObject({ sweep: 6 })
  })

  test('the tables lie in the schema that was named and nowhere else', async () => {
    const { backend, query } = await fresh()
    await opened(backend)
    const tables = await query(
      "SELECT DISTINCT table_schema FROM information_schema.tables WHERE table_schema NOT IN ('pg_catalog', 'information_schema')",
    )
    expect(tables).toEqual([{ table_schema: 'credsync_queue' }])
  })

  test('options inside the URL do not lose the schema', async () => {
    const { backend, query } = await fresh()
    const queues = await opened({ ...backend, url: `${backend.url}?options=-c%20statement_timeout%3D60000` })
    expect(await queues.ask('sweep', {})).toBe(true)
    expect(await query('SELECT count(*)::int AS jobs FROM credsync_queue.job')).toEqual([{ jobs: 1 }])
  })

  test.each([
    [120_000, 'ahead of'],
    [-120_000, 'behind'],
  ])('a clock that is off by %i ms keeps the worker from starting', async (offMs, side) => {
    const { backend } = await fresh()
    const failure = await openQueues({ backend, onFault: () => {}, clock: clockOffBy(offMs) }).catch((error) => error)
    expect(failure).toBeInstanceOf(ClockSkewError)
    expect(failure.message).toContain(side)
    expect(Math.abs(failure.skewMs - offMs)).toBeLessThan(1_000)
  })

  test('a clock that is off by half a second does not matter', async () => {
    const { backend } = await fresh()
    const queues = await openQueues({ backend, onFault: () => {}, clock: clockOffBy(500) })
    expect(await queues.stop(0)).toEqual({ unfinished: 0 })
  })

  test('stopping gives back every connection, also with a job left behind', async () => {
    const { backend, query } = await fresh()
    const queues = await opened(backend)
    const release = Promise.withResolvers<void>()
    onTestFinished(() => release.resolve())
    const started = Promise.withResolvers<void>()
    await queues.work('write-back', async () => done())
    await queues.work('intake', async () => {
      started.resolve()
      await release.promise
      return done()
    })
    await queues.ask('intake', { runId: 'r1' })
    await started.promise
    expect(await queues.stop(0)).toEqual({ unfinished: 1 })
    const others =
      'SELECT count(*)::int AS open FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()'
    await expect.poll(() => query(others)).toEqual([{ open: 0 }])
  })
})

async function fresh(): Promise<{ backend: QueueBackend; query: (sql: string) => Promise<unknown[]> }> {
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
