// A worker that its store refuses waits before it requests a job again. BullMQ does so only if there is no connection.

import { Redis } from 'ioredis'
import { expect, onTestFinished, test } from 'vitest'
import { done } from '#src/platform/queue/verdict.ts'
import { notedClock } from '#test/support/clock.ts'
import { onServer } from '#test/support/database.ts'
import { until } from '#test/support/until.ts'
import { describeBothStores } from './both-stores.ts'
import { openTestQueues } from './open-test-queues.ts'

describeBothStores('a queue', (freshBackend) => {
  test('whose store refuses requests for jobs is asked once a second, and works again by itself', async () => {
    const backend = await freshBackend()
    const clock = notedClock()
    const queues = await openTestQueues(backend, clock)
    const allow = await (backend.kind === 'redis'
      ? spoilQueue(backend.url, backend.prefix ?? '')
      : hideJobs(backend.url))
    const arrived: string[] = []
    await queues.work('intake', async ({ runId }) => {
      arrived.push(runId)
      return done()
    })
    const refusals = () => queues.faults.filter((fault) => fault.startsWith('worker intake'))
    await until('three refusals', () => refusals().length >= 3 || `${refusals()}`)
    // Nothing else sleeps for just a second. One refusal may be of BullMQ's look for stalled jobs.
    expect(clock.slept.filter((ms) => ms === 1_000).length).toBeGreaterThanOrEqual(refusals().length - 1)
    await allow()
    const runId = crypto.randomUUID()
    await queues.enqueue('intake', { runId })
    await until('the job', () => arrived.includes(runId) || `${queues.faults}`)
  })
})

/** Gives the list of waiting jobs a type for which Redis refuses what workers do with it. */
async function spoilQueue(url: string, prefix: string): Promise<() => Promise<void>> {
  const redis = new Redis(url)
  onTestFinished(() => redis.disconnect())
  await redis.set(`${prefix}:intake:wait`, 'no list')
  return async () => void (await redis.del(`${prefix}:intake:wait`))
}

async function hideJobs(url: string): Promise<() => Promise<void>> {
  await onServer('ALTER TABLE credsync_queue.job RENAME TO hidden', url)
  return () => onServer('ALTER TABLE credsync_queue.hidden RENAME TO job', url)
}
