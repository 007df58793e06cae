// One suite for both stores of the queues.

import { onTestFinished } from 'vitest'
import type { QueueBackend } from '#src/queue/open-queues.ts'
import { describeWithDatabase, emptyDatabase } from '#test/support/database.ts'
import { describeWithRedis } from '#test/support/redis.ts'

/** Declares the suite twice. `freshBackend` gives an empty store of its own at each call, inside a test. */
export function conformBothStores(name: string, suite: (freshBackend: () => Promise<QueueBackend>) => void): void {
  describeWithDatabase(`${name} in PostgreSQL`, () => {
    suite(async () => {
      const database = await emptyDatabase()
      onTestFinished(() => database.drop())
      return { kind: 'postgres', url: database.url, schema: 'credsync_queue' }
    })
  })
  describeWithRedis(`${name} in Redis`, ({ url, prefix }) => {
    suite(async () => ({ kind: 'redis', url, prefix: prefix() }))
  })
}
