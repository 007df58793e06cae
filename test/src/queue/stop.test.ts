// How the queues end: with the running job if it ends in time, without it if not.

import type { Queue } from 'bullmq'
import { expect, onTestFinished, test } from 'vitest'
import { done } from '#src/queue/verdict.ts'
import { conformBothStores } from './both-stores.ts'
import { arrivals, opened, rawStore } from './opened.ts'

conformBothStores('stopping the queues', (freshBackend) => {
  test('waits for the running job, takes no other, and is the same when called twice', async () => {
    const backend = await freshBackend()
    const queues = await opened(backend)
    const runs = arrivals<string>()
    const release = Promise.withResolvers<void>()
    let aborted = false
    await queues.work('intake', async ({ runId }, { signal }) => {
      runs.add(runId)
      await release.promise
      aborted = signal.aborted
      return done()
    })
    await queues.ask('intake', { runId: 'running' })
    await runs.next()
    await queues.ask('intake', { runId: 'waiting' })
    const stopped = queues.stop(30_000)
    expect(await queues.ask('intake', { runId: 'too-late' })).toBe(false)
    expect(await queues.healthy()).toBe(false)
    release.resolve()
    expect(await stopped).toEqual({ unfinished: 0 })
    expect(await queues.stop(1)).toEqual({ unfinished: 0 })
    expect(aborted).toBe(false)
    expect(runs.all).toEqual(['running'])
    expect(await (await opened(backend)).counts()).toMatchObject({ intake: 1 })
    await expect(queues.work('sweep', async () => done())).rejects.toThrow('stopped')
  })

  test('leaves a job that does not listen at the deadline', async () => {
    const backend = await freshBackend()
    const queues = await opened(backend)
    const signals = arrivals<AbortSignal>()
    const release = Promise.withResolvers<void>()
    onTestFinished(() => release.resolve())
    await queues.work('intake', async (_, { signal }) => {
      signals.add(signal)
      await release.promise
      return done()
    })
    await queues.ask('intake', { runId: 'r1' })
    const signal = await signals.next()
    const began = performance.now()
    expect(await queues.stop(300)).toEqual({ unfinished: 1 })
    expect(performance.now() - began).toBeLessThan(300 + 1_000 + 2_000 + 2_000)
    expect(signal.aborted).toBe(true)
    expect(await (await opened(backend)).counts()).toMatchObject({ intake: 1 })
  })

  test('lets a job that listens go back to the queue uncounted', async () => {
    const backend = await freshBackend()
    const queues = await opened(backend)
    const signals = arrivals<AbortSignal>()
    await queues.work('sweep', async (_, { signal }) => {
      signals.add(signal)
      await new Promise((_resolve, fail) => signal.addEventListener('abort', () => fail(signal.reason)))
      return done()
    })
    await queues.ask('sweep', {})
    await signals.next()
    expect(await queues.stop(100)).toEqual({ unfinished: 0 })
    const raw = (await rawStore(backend)).openQueue('sweep', {})
    expect(await (raw as Queue).getJobs(['waiting', 'delayed'])).toMatchObject([
      { attemptsMade: 0, attemptsStarted: 1 },
    ])
    await raw.close()
    const next = await opened(backend)
    const again = arrivals<true>()
    await next.work('sweep', async () => {
      again.add(true)
      return done()
    })
    expect(await again.next()).toBe(true)
  })
})
