// The queues are only a to-do list: whatever happens to them, the ledger restores the work. Tested with both queue
// stores.

import { Redis } from 'ioredis'
import { describe, expect, test } from 'vitest'
import { startWorker } from '#jobs/worker.ts'
import { audit } from '#test/support/auditor.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { describeWithRedis } from '#test/support/describe-with-redis.ts'
import { until } from '#test/support/until.ts'
import { openWorld, peopleCsv, timesIssued, type World } from '#test/support/world.ts'

const people = 300

/** Breaks the queue store after some batches were sent, and lets the run continue to its end. */
async function issueThrough(world: World, destroy: () => Promise<unknown>): Promise<void> {
  const runId = await world.receive('list.csv', peopleCsv(people))
  const worker = await startWorker(world.app)
  try {
    await until('some batches to be sent', () => world.sandbox.journal().invitesAccepted >= 3, { everyMs: 5 })
    await destroy()
    await until('all to be issued', async () => {
      const now = await world.app.ledger.runs.withStates(runId)
      return now?.states.issued === people || JSON.stringify(now?.states)
    })
  } finally {
    await worker?.stop()
  }
  expect([...timesIssued(world.sandbox).values()].filter((times) => times !== 1)).toEqual([])
  expect(timesIssued(world.sandbox).size).toBe(people)
  await audit(world)
}

const options = { pipeline: { batch: { size: 10 } } }

// These tests run concurrently, because each mostly waits for the pace of its sandbox and until a job counts as lost.
describe.concurrent('a run whose queue is deleted in the middle', () => {
  describeWithDatabase('on PostgreSQL', () => {
    test('finishes after every job has been deleted', async () => {
      await using world = await openWorld(options)
      await issueThrough(world, () => world.app.queues.empty())
    })

    test('finishes after the rows of the queue tables have been deleted', async () => {
      await using world = await openWorld(options)
      await issueThrough(world, async () => {
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
    test('finishes after every job has been deleted', async () => {
      await using world = await openWorld({ ...options, redisUrl: url })
      await issueThrough(world, () => world.app.queues.empty())
    })

    test('finishes after Redis has lost every key of the queues', async () => {
      await using world = await openWorld({ ...options, redisUrl: url })
      await issueThrough(world, async () => {
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
