// Stopping the queues: running jobs are waited for until the deadline, then interrupted and abandoned.

import type { Queue } from 'bullmq'
import { expect, onTestFinished, test } from 'vitest'
import { done } from '#src/platform/queue/verdict.ts'
import { describeBothStores } from './both-stores.ts'
import { openRawStore, openTestQueues, recordArrivals } from './open-test-queues.ts'

describeBothStores('stopping the queues', (freshBackend) => {
  test('waits for the running job, starts no other, and can be called twice', async () => {
    const backend = await freshBackend()
    const queues = await openTestQueues(backend)
    const runs = recordArrivals<string>()
    const release = Promise.withResolvers<void>()
    let aborted = false
    await queues.work('intake', async ({ runId }, { signal }) => {
      runs.add(runId)
      await release.promise
      aborted = signal.aborted
      return done()
    })
    await queues.enqueue('intake', { runId: 'running' })
    await runs.next()
    await queues.enqueue('intake', { runId: 'waiting' })
    const stopped = queues.stop(30_000)
    expect(await queues.enqueue('intake', { runId: 'too-late' })).toBe(false)
    expect(await queues.healthy()).toBe(false)
    release.resolve()
    expect(await stopped).toEqual({ unfinished: 0 })
    expect(await queues.stop(1)).toEqual({ unfinished: 0 })
    expect(aborted).toBe(false)
    expect(runs.all).toEqual(['running'])
    expect(await (await openTestQueues(backend)).counts()).toMatchObject({ intake: 1 })
    await expect(queues.work('sweep', async () => done())).rejects.toThrow('stopped')
  })

  test('abandons a job at the deadline if it ignores its signal', async () => {
    const backend = await freshBackend()
    const queues = await openTestQueues(backend)
    const signals = recordArrivals<AbortSignal>()
    const release = Promise.withResolvers<void>()
    onTestFinished(() => release.resolve())
    await queues.work('intake', async (_, { signal }) => {
      signals.add(signal)
      await release.promise
      return done()
    })
    await queues.enqueue('intake', { runId: 'r1' })
    const signal = await signals.next()
    // The job ends only after the test: without the deadline, this call would wait forever.
    expect(await queues.stop(300)).toEqual({ unfinished: 1 })
    expect(signal.aborted).toBe(true)
    expect(await (await openTestQueues(backend)).counts()).toMatchObject({ intake: 1 })
  })

  test('returns a job that reacts to its signal to the queue, without counting an attempt', async () => {
    const backend = await freshBackend()
    const queues = await openTestQueues(backend)
    const signals = recordArrivals<AbortSignal>()
    await queues.work('sweep', async (_, { signal }) => {
      signals.add(signal)
      await new Promise((_resolve, fail) => signal.addEventListener('abort', () => fail(signal.reason)))
      return done()
    })
    await queues.enqueue('sweep', {})
    await signals.next()
    expect(await queues.stop(100)).toEqual({ unfinished: 0 })
    const raw = (await openRawStore(backend)).openQueue('sweep', {})
    expect(await (raw as Queue).getJobs(['waiting', 'delayed'])).toMatchObject([
      { attemptsMade: 0, attemptsStarted: 1 },
    ])
    await raw.close()
    const next = await openTestQueues(backend)
    const again = recordArrivals<true>()
    await next.work('sweep', async () => {
      again.add(true)
      return done()
    })
    expect(await again.next()).toBe(true)
  })
})
