// What the queues guarantee, whether their store is PostgreSQL or Redis.

import type { Queue } from 'bullmq'
import { expect, test } from 'vitest'
import type { QueueBackend } from '#src/platform/queue/open-queues.ts'
import { done, reject, retry, snooze } from '#src/platform/queue/verdict.ts'
import { describeBothStores } from './both-stores.ts'
import { openRawStore, openTestQueues, recordArrivals } from './open-test-queues.ts'

describeBothStores('with the queues', (freshBackend) => {
  test('each of many jobs runs once, although two processes run them', async () => {
    const backend = await freshBackend()
    const [one, two] = [await openTestQueues(backend), await openTestQueues(backend)]
    const runs = recordArrivals<string>()
    const ids = Array.from({ length: 20 }, (_, index) => `attempt-${index}`)
    for (const each of [one, two]) {
      await each.work('issue', async ({ attemptId }) => {
        runs.add(attemptId)
        return done()
      })
    }
    for (const attemptId of ids) expect(await one.enqueue('issue', { attemptId })).toBe(true)
    for (const _ of ids) await runs.next()
    await expect.poll(() => one.counts()).toMatchObject({ issue: 0 })
    expect(runs.all.toSorted()).toEqual(ids.toSorted())
  })

  test('a job that is added several times for one subject runs each time, even after the first run has ended', async () => {
    const queues = await openTestQueues(await freshBackend())
    const runs = recordArrivals<string>()
    await queues.work('intake', async ({ runId }) => {
      runs.add(runId)
      return done()
    })
    await queues.enqueue('intake', { runId: 'r1' })
    await runs.next()
    await expect.poll(() => queues.counts()).toMatchObject({ intake: 0 })
    await queues.enqueue('intake', { runId: 'r1' })
    await queues.enqueue('intake', { runId: 'r1' })
    await runs.next()
    await runs.next()
    expect(runs.all).toEqual(['r1', 'r1', 'r1'])
  })

  test('a snoozed job is run again later, any number of times', async () => {
    const queues = await openTestQueues(await freshBackend())
    const runs = recordArrivals<number>()
    // A sweep has two attempts: if a snooze counted as one, there would be no fourth run.
    await queues.work('sweep', async () => {
      runs.add(performance.now())
      return runs.all.length < 4 ? snooze(250, 'not-yet') : done()
    })
    await queues.enqueue('sweep', {})
    const at = [await runs.next(), await runs.next(), await runs.next(), await runs.next()]
    for (let i = 1; i < at.length; i++) expect(Number(at[i]) - Number(at[i - 1])).toBeGreaterThan(200)
    await expect.poll(() => queues.counts()).toMatchObject({ sweep: 0 })
  })

  test('a fault is retried until no attempts are left, and only its class and code are stored', async () => {
    const backend = await freshBackend()
    const queues = await openTestQueues(backend)
    const runs = recordArrivals<number>()
    await queues.work('sweep', async () => {
      runs.add(1)
      const fault = Object.assign(new TypeError('no answer for jane@example.org'), { code: 'ECONNRESET' })
      if (runs.all.length === 1) throw fault
      return retry(fault)
    })
    await queues.enqueue('sweep', {})
    await runs.next()
    await runs.next()
    await expect.poll(() => queues.counts()).toMatchObject({ sweep: 0 })
    const [failed] = await keptFailures(backend, 'sweep')
    expect(failed).toMatchObject({ attemptsMade: 2, failedReason: 'TypeError (ECONNRESET)' })
    expect(JSON.stringify(failed)).not.toContain('jane')
    expect(queues.faults).toContain('job sweep: TypeError (ECONNRESET)')
    expect(runs.all).toHaveLength(2)
  })

  test('a rejected job ends immediately and keeps its code', async () => {
    const backend = await freshBackend()
    const queues = await openTestQueues(backend)
    const runs = recordArrivals<string>()
    await queues.work('write-back', async ({ runId }) => {
      runs.add(runId)
      return reject('course-not-found')
    })
    await queues.enqueue('write-back', { runId: 'r1' })
    await runs.next()
    await expect.poll(() => queues.counts()).toMatchObject({ 'write-back': 0 })
    expect(await keptFailures(backend, 'write-back')).toMatchObject([
      { attemptsMade: 1, failedReason: 'course-not-found' },
    ])
    expect(runs.all).toEqual(['r1'])
  })

  test('an invalid payload is rejected before the processor sees it', async () => {
    const backend = await freshBackend()
    const queues = await openTestQueues(backend)
    const raw = (await openRawStore(backend)).openQueue('intake', {})
    await raw.add('intake', { runId: 'r1', email: 'jane@example.org' }, { jobId: 'intake-bad', removeOnComplete: true })
    const runs = recordArrivals<string>()
    await queues.work('intake', async ({ runId }) => {
      runs.add(runId)
      return done()
    })
    await queues.enqueue('intake', { runId: 'r2' })
    expect(await runs.next()).toBe('r2')
    await expect.poll(() => queues.counts()).toMatchObject({ intake: 0 })
    expect(runs.all).toEqual(['r2'])
    expect(queues.faults).toContain('job intake: BadPayloadError')
    expect(await (raw as Queue).getFailedCount()).toBe(1)
    await raw.close()
  })

  test('a job with an invalid payload is refused, and the error does not contain the payload', async () => {
    const queues = await openTestQueues(await freshBackend())
    const refusal = await queues.enqueue('intake', { runId: 'jane@example.org' }).catch((error) => error)
    expect(refusal).toMatchObject({ name: 'BadPayloadError' })
    expect(refusal.message).toContain('runId')
    expect(refusal.message).not.toContain('jane')
  })

  test('emptying the queues while a job runs deletes every job, and the same worker continues', async () => {
    const queues = await openTestQueues(await freshBackend())
    const runs = recordArrivals<string>()
    const release = Promise.withResolvers<void>()
    await queues.work('intake', async ({ runId }) => {
      runs.add(runId)
      if (runId === 'running') await release.promise
      return done()
    })
    await queues.enqueue('intake', { runId: 'running' })
    expect(await runs.next()).toBe('running')
    await queues.enqueue('intake', { runId: 'waiting' })
    await queues.enqueue('intake', { runId: 'delayed' }, { delayMs: 300 })
    await queues.enqueue('write-back', { runId: 'elsewhere' })
    await queues.empty()
    expect(Object.values(await queues.counts()).every((count) => count === 0)).toBe(true)
    release.resolve()
    await queues.enqueue('intake', { runId: 'later' })
    await queues.enqueue('intake', { runId: 'latest' }, { delayMs: 400 })
    expect([await runs.next(), await runs.next()]).toEqual(['later', 'latest'])
    expect(runs.all).toEqual(['running', 'later', 'latest'])
    expect(await queues.healthy()).toBe(true)
  })
})

async function keptFailures(backend: QueueBackend, name: string) {
  const queue = (await openRawStore(backend)).openQueue(name, {})
  const failed = await (queue as Queue).getFailed()
  await queue.close()
  return failed.map(({ data, failedReason, stacktrace, attemptsMade }) => ({
    data,
    failedReason,
    stacktrace,
    attemptsMade,
  }))
}
