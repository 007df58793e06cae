// A sweep that is requested while another is running is done afterwards, once for all callers.

import { expect, test } from 'vitest'
import { processorsFor } from '#jobs/processors.ts'
import { done } from '#src/platform/queue/verdict.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { openWorld, peopleCsv } from '#test/support/world.ts'

describeWithDatabase('a sweep that is requested while another is running', () => {
  test('runs after it, once for all callers, and finds the new work', async () => {
    await using world = await openWorld()
    const { app } = world
    const requestSweep = () => processorsFor(app).sweep({}, { signal: new AbortController().signal })
    const running = await app.ledger.locks.hold('sweep')
    if (!running) throw new Error('The lock is not free.')
    let returned = 0
    const requests = [requestSweep(), requestSweep(), requestSweep()].map(async (sweep) => {
      expect(await sweep).toEqual(done())
      returned++
    })
    await expect.poll(() => returned, { interval: 5 }).toBe(2)

    const runId = await world.receive('list.csv', peopleCsv(1))
    await running.release()
    await Promise.all(requests)
    const { rows } = await app.database.query('SELECT FROM run WHERE id = $1 AND asked_at IS NOT NULL', [runId])
    expect(rows).toHaveLength(1)
    // The next request finds the lock free again.
    expect(await requestSweep()).toEqual(done())
    expect(await app.ledger.locks.withLock('sweep', async () => 'free', false)).toBe('free')
  })
})
