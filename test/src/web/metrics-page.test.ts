// Which figures of the ledger the metrics page shows while the ledger cannot be read.

import { expect, test } from 'vitest'
import { systemClock } from '#src/platform/time/clock.ts'
import type { Health } from '#src/web/health.ts'
import { openMetricsPage } from '#src/web/metrics-page.ts'
import { openMetrics } from '#src/web/open-metrics.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { openWorld } from '#test/support/world.ts'

describeWithDatabase('the metrics page', () => {
  test('shows figures of the last five minutes with their age, and none that are older', async () => {
    await using world = await openWorld()
    const { app } = world
    let passedMs = 0
    let isReadable = true
    // Real time passes too, but never enough for the next step.
    const clock = { ...systemClock, monotonicMs: () => systemClock.monotonicMs() / 1_000 + passedMs }
    const transaction: typeof app.database.transaction = (work) =>
      isReadable ? app.database.transaction(work) : Promise.reject(new Error('planted'))
    const query: typeof app.database.query = (sql, values) =>
      isReadable ? app.database.query(sql, values) : Promise.reject(new Error('planted'))
    const metrics = openMetrics({ version: '1', environment: 'development', storage: 'postgresql' }, ['spring'])
    const health = { stores: async () => ({ database: true, queues: true }) } as Health
    const database = { ...app.database, query, transaction }
    const makePage = openMetricsPage({ ...app, clock, database }, metrics, health)
    const valueAfter = async (ms: number, name: string) => {
      passedMs += ms
      const line = (await makePage()).split('\n').find((each) => new RegExp(`^${name}[ {]`).test(each))
      return line === undefined ? null : Number(line.split(' ').at(-1))
    }
    expect(await valueAfter(0, 'credsync_rows')).toBe(0)
    isReadable = false
    expect(await valueAfter(299_000, 'credsync_rows')).toBe(0)
    expect(await valueAfter(0, 'credsync_ledger_figures_age_seconds')).toBeCloseTo(299, 0)
    expect(await valueAfter(1_500, 'credsync_rows')).toBe(null)
    expect(await valueAfter(0, 'credsync_ledger_figures_age_seconds')).toBe(null)
    // What the process itself knows is still shown.
    expect(await valueAfter(0, 'credsync_database_up')).toBe(1)
    isReadable = true
    expect(await valueAfter(10_000, 'credsync_rows')).toBe(0)
  })
})
