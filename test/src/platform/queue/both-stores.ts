// Runs one suite for both queue stores.

import { onTestFinished } from 'vitest'
import type { QueueBackend } from '#src/platform/queue/open-queues.ts'
import { describeWithDatabase, emptyDatabase } from '#test/support/database.ts'
import { describeWithRedis } from '#test/support/describe-with-redis.ts'
import { documentedRedisUser } from '#test/support/documented-redis-user.ts'

/**
 * Declares the suite once for each store. `freshBackend` is called inside a test and returns an empty store each time.
 */
export function describeBothStores(name: string, suite: (freshBackend: () => Promise<QueueBackend>) => void): void {
  describeWithDatabase(`${name} in PostgreSQL`, () => {
    suite(async () => {
      const database = await emptyDatabase()
      onTestFinished(() => database.drop())
      return { kind: 'postgres', url: database.url, schema: 'credsync_queue' }
    })
  })
  describeWithRedis(`${name} in Redis`, ({ url, prefix }) => {
    // As the user of docs/deployment.md, so that a command which BullMQ begins to use is noticed.
    suite(async () => ({ kind: 'redis', url: await documentedRedisUser(url, '~test-*'), prefix: prefix() }))
  })
}
