// How a store of queues that lost every job is noticed.

import { Redis } from 'ioredis'
import { expect, onTestFinished, test } from 'vitest'
import type { ExtensionTools } from '#jobs/extension-jobs.ts'
import { rescueOrphans } from '#jobs/worker/rescue-orphans.ts'
import { describeWithRedis } from '#test/support/describe-with-redis.ts'
import { openRecordedLog } from '#test/support/recorded-log.ts'
import { openTestQueues } from './open-test-queues.ts'

describeWithRedis('a store in Redis', ({ url, prefix }) => {
  test('is new until its jobs are queued again, and again after it was emptied', async () => {
    const keys = prefix()
    const [one, other] = [
      await openTestQueues({ kind: 'redis', url, prefix: keys }),
      await openTestQueues({ kind: 'redis', url, prefix: keys }),
    ]
    const redis = new Redis(url)
    onTestFinished(() => redis.disconnect())
    const empty = async () => void (await redis.del(...(await redis.keys(`${keys}:*`))))

    expect([await one.isNew(), await other.isNew()]).toEqual([true, true])
    await one.noteRestored()
    expect([await one.isNew(), await other.isNew()]).toEqual([false, false])
    await empty()
    expect(await other.isNew()).toBe(true)
    // What was queued since `isNew` is lost as well.
    await empty()
    await other.noteRestored()
    expect(await one.isNew()).toBe(true)
  })

  test('stays new if having its jobs queued again fails', async () => {
    const queues = await openTestQueues({ kind: 'redis', url, prefix: prefix() })
    const log = openRecordedLog()
    let isDown = true
    const forgetEnqueued = async () => {
      if (isDown) throw new Error('PostgreSQL does not answer.')
    }
    const ledger = { work: { forgetEnqueued }, attempts: { markLost: async () => [] } }
    const tools = { ledger, queues, log, exclusive: false, instance: '1' } as unknown as ExtensionTools
    const rescue = () => rescueOrphans(tools, { lock: null, canReap: () => false })

    await expect(rescue()).rejects.toThrow('PostgreSQL')
    isDown = false
    await rescue()
    await rescue()
    expect(log.fieldsOf('queue.new')).toHaveLength(1)
  })
})
