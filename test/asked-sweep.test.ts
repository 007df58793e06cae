// Whoever has just made work asks for a sweep. While another one is under way the wish is kept, once for all who have it.

import { expect, test } from 'vitest'
import { processorsFor } from '#jobs/processors.ts'
import { done } from '#src/queue/verdict.ts'
import { describeWithDatabase } from './support/database.ts'
import { openWorld, peopleCsv } from './support/world.ts'

describeWithDatabase('a sweep that is asked for while another one is under way', () => {
  test('comes after it, once for all who ask, and finds what was made meanwhile', async () => {
    await using world = await openWorld()
    const { app } = world
    const ask = () => processorsFor(app).sweep({}, { signal: new AbortController().signal })
    const underWay = await app.ledger.holdLock('sweep')
    if (!underWay) throw new Error('The lock is not free.')
    let left = 0
    const asked = [ask(), ask(), ask()].map(async (sweep) => {
      expect(await sweep).toEqual(done())
      left++
    })
    await expect.poll(() => left, { interval: 5 }).toBe(2)

    const runId = await world.receive('list.csv', peopleCsv(1))
    await underWay.release()
    await Promise.all(asked)
    const { rows } = await app.database.query('SELECT FROM run WHERE id = $1 AND asked_at IS NOT NULL', [runId])
    expect(rows).toHaveLength(1)
    // And the way is free for the next.
    expect(await ask()).toEqual(done())
    expect(await app.ledger.withLock('sweep', async () => 'free', false)).toBe('free')
  })
})
