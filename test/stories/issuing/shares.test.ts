// Two pipelines that have rows to send at the same time: the setting `share` decides how many batches each one gets.

import { expect, test } from 'vitest'
import { prepareBatches } from '#jobs/worker/prepare-batches.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { recipients } from '#test/support/domain-objects.ts'
import { publish } from '#test/support/test-ledger.ts'
import { openWorld } from '#test/support/world.ts'

describeWithDatabase('two pipelines with rows to send', () => {
  test('get batches by their shares', async () => {
    const pipeline = { batch: { size: 1 } }
    await using world = await openWorld({
      pipeline,
      morePipelines: (first) => ({ busy: { ...first, share: 3 } }),
      // On a busy machine, jobs would count as lost before all of them are queued, and be queued again.
      tuning: { lostAfterMs: 60_000 },
    })
    const { app } = world
    const people = recipients(40)
    await publish(app.ledger, people.slice(0, 20), { pipeline: 'busy' })
    await publish(app.ledger, people.slice(20), { pipeline: 'spring' })
    // Sixteen batches are prepared ahead: two for each of the eight jobs that a worker begins with.
    expect(await prepareBatches(app)).toBe(16)
    const { rows } = await app.database.query(
      'SELECT pipeline, count(*)::int AS batches FROM attempt GROUP BY pipeline ORDER BY pipeline',
    )
    expect(rows).toEqual([
      { pipeline: 'busy', batches: 12 },
      { pipeline: 'spring', batches: 4 },
    ])
  })
})
