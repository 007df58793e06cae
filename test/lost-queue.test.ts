// The queues are a to-do list: whatever happens to them, the ledger brings the work back. On both backends.

import { Redis } from 'ioredis'
import { describe, expect, test } from 'vitest'
import { startWorker } from '#jobs/worker.ts'
import { audit } from './support/auditor.ts'
import { describeWithDatabase } from './support/database.ts'
import { describeWithRedis } from './support/redis.ts'
import { openWorld, peopleCsv, timesIssued, type World } from './support/world.ts'

const people = 300

/** Breaks the queue store once some batches are out, and lets the run go to its end. */
async function runThrough(world: World, destroy: () => Promise<unknown>): Promise<void> {
  const runId = await world.receive('list.csv', peopleCsv(people))
  const worker = await startWorker(world.app)
  try {
    await expect
      .poll(() => world.sandbox.journal().invitesAccepted, { timeout: 20_000, interval: 5 })
      .toBeGreaterThanOrEqual(3)
    await destroy()
    await expect
      .poll(async () => (await world.app.ledger.runWithStates(runId))?.states, { timeout: 40_000, interval: 100 })
      .toMatchObject({ issued: people })
  } finally {
    await worker?.stop()
  }
  expect([...timesIssued(world.sandbox).values()].filter((times) => times !== 1)).toEqual([])
  expect(timesIssued(world.sandbox).size).toBe(people)
  await audit(world)
}

const options = { pipeline: { batch: { size: 10 } } }

describe('a run whose queue is deleted in the middle', () => {
  describeWithDatabase('on PostgreSQL', () => {
    test('finishes when every job was deleted', async () => {
      await using world = await openWorld(options)
      await runThrough(world, () => world.app.queues.empty())
    })

    test('finishes when the rows of the queue tables were deleted', async () => {
      await using world = await openWorld(options)
      await runThrough(world, async () => {
        const { rows } = await world.app.database.query<{ name: string }>(
          `SELECT table_name AS name FROM information_schema.columns WHERE table_schema = 'credsync_queue_development' AND column_name = 'queue_id'
           UNION SELECT table_name FROM information_schema.tables WHERE table_schema = 'credsync_queue_development' AND table_name LIKE '%job%'`,
        )
        expect(rows.length).toBeGreaterThan(0)
        for (const { name } of rows) await world.app.database.query(`DELETE FROM credsync_queue_development."${name}"`)
      })
    })
  })

  describeWithRedis('on Redis', ({ url }) => {
    test('finishes when every job was deleted', async () => {
      await using world = await openWorld({ ...options, redisUrl: url })
      await runThrough(world, () => world.app.queues.empty())
    })

    test('finishes when Redis lost every key of the queues', async () => {
      await using world = await openWorld({ ...options, redisUrl: url })
      await runThrough(world, async () => {
        await using redis = disposable(new Redis(url))
        const keys = await redis.client.keys(`*${world.app.ledger.id}*`)
        expect(keys.length).toBeGreaterThan(0)
        await redis.client.del(...keys)
      })
    })
  })
})

function disposable(client: Redis) {
  return { client, [Symbol.asyncDispose]: async () => void (await client.quit()) }
}
