// What the queues promise, held by both of their stores.

import type { Queue } from 'bullmq'
import { expect, test } from 'vitest'
import type { QueueBackend } from '#src/queue/open-queues.ts'
import { done, hold, reject, retry, snooze } from '#src/queue/verdict.ts'
import { conformBothStores } from './both-stores.ts'
import { arrivals, opened, rawStore } from './opened.ts'

conformBothStores('the queues', (freshBackend) => {
  test('each of many jobs runs once, though two processes work', async () => {
    const backend = await freshBackend()
    const [one, two] = [await opened(backend), await opened(backend)]
    const runs = arrivals<string>()
    const ids = Array.from({ length: 20 }, (_, index) => `attempt-${index}`)
    for (const each of [one, two]) {
      await each.work('issue', async ({ attemptId }) => {
        runs.add(attemptId)
        return done()
      })
    }
    for (const attemptId of ids) expect(await one.ask('issue', { attemptId })).toBe(true)
    for (const _ of ids) await runs.next()
    await expect.poll(() => one.counts()).toMatchObject({ issue: 0 })
    expect(runs.all.toSorted()).toEqual(ids.toSorted())
  })

  test('asking twice for the same subject runs it twice, also after it was done', async () => {
    const queues = await opened(await freshBackend())
    const runs = arrivals<string>()
    await queues.work('intake', async ({ runId }) => {
      runs.add(runId)
      return done()
    })
    await queues.ask('intake', { runId: 'r1' })
    await runs.next()
    await expect.poll(() => queues.counts()).toMatchObject({ intake: 0 })
    await queues.ask('intake', { runId: 'r1' })
    await queues.ask('intake', { runId: 'r1' })
    await runs.next()
    await runs.next()
    expect(runs.all).toEqual(['r1', 'r1', 'r1'])
  })

  test('a delayed job waits for its time', async () => {
    const queues = await opened(await freshBackend())
    const runs = arrivals<string>()
    await queues.work('intake', async ({ runId }) => {
      runs.add(runId)
      return done()
    })
    await queues.ask('intake', { runId: 'later' }, { delayMs: 700 })
    await queues.ask('intake', { runId: 'now' })
    expect([await runs.next(), await runs.next()]).toEqual(['now', 'later'])
  })

  test('a snoozed job comes back later, any number of times', async () => {
    const queues = await opened(await freshBackend())
    const runs = arrivals<number>()
    // A sweep has two attempts: were a snooze one, the fourth run would not happen.
    await queues.work('sweep', async () => {
      runs.add(performance.now())
      return runs.all.length < 4 ? snooze(250, 'not-yet') : done()
    })
    await queues.ask('sweep', {})
    const at = [await runs.next(), await runs.next(), await runs.next(), await runs.next()]
    for (let i = 1; i < at.length; i++) expect(Number(at[i]) - Number(at[i - 1])).toBeGreaterThan(200)
    await expect.poll(() => queues.counts()).toMatchObject({ sweep: 0 })
  })

  test('a hold rests the whole queue in every process, then the job comes back', async () => {
    const backend = await freshBackend()
    const [one, two] = [await opened(backend), await opened(backend)]
    const runs = arrivals<{ runId: string; at: number }>()
    const work = async ({ runId }: { runId: string }) => {
      runs.add({ runId, at: performance.now() })
      return runs.all.length === 1 ? hold(1_200, 'throttled') : done()
    }
    await one.work('intake', work)
    await one.ask('intake', { runId: 'held' })
    const first = await runs.next()
    // The verdict has to be settled before another process can know of it: then the job waits instead of being active.
    const raw = (await rawStore(backend)).openQueue('intake', {})
    await expect.poll(() => raw.getJobCountByTypes('waiting'), { interval: 10 }).toBe(1)
    await raw.close()
    await two.work('intake', work)
    await two.ask('intake', { runId: 'other' })
    const rest = [await runs.next(), await runs.next()]
    expect(rest.map((run) => run.runId).toSorted()).toEqual(['held', 'other'])
    for (const run of rest) expect(run.at - first.at).toBeGreaterThan(1_100)
  })

  test('a fault is tried again until the attempts end, and only its class and code are kept', async () => {
    const backend = await freshBackend()
    const queues = await opened(backend)
    const runs = arrivals<number>()
    await queues.work('sweep', async () => {
      runs.add(1)
      const fault = Object.assign(new TypeError('no answer for jane@example.org'), { code: 'ECONNRESET' })
      if (runs.all.length === 1) throw fault
      return retry(fault)
    })
    await queues.ask('sweep', {})
    await runs.next()
    await runs.next()
    await expect.poll(() => queues.counts()).toMatchObject({ sweep: 0 })
    const [failed] = await keptFailures(backend, 'sweep')
    expect(failed).toMatchObject({ attemptsMade: 2, failedReason: 'TypeError (ECONNRESET)' })
    expect(JSON.stringify(failed)).not.toContain('jane')
    expect(queues.faults).toContain('job sweep: TypeError (ECONNRESET)')
    expect(runs.all).toHaveLength(2)
  })

  test('a rejected job ends at once and keeps its code', async () => {
    const backend = await freshBackend()
    const queues = await opened(backend)
    const runs = arrivals<string>()
    await queues.work('write-back', async ({ runId }) => {
      runs.add(runId)
      return reject('course-not-found')
    })
    await queues.ask('write-back', { runId: 'r1' })
    await runs.next()
    await expect.poll(() => queues.counts()).toMatchObject({ 'write-back': 0 })
    expect(await keptFailures(backend, 'write-back')).toMatchObject([
      { attemptsMade: 1, failedReason: 'course-not-found' },
    ])
    expect(runs.all).toEqual(['r1'])
  })

  test('a payload that is not ours is rejected before the processor sees it', async () => {
    const backend = await freshBackend()
    const queues = await opened(backend)
    const raw = (await rawStore(backend)).openQueue('intake', {})
    await raw.add('intake', { runId: 'r1', email: 'jane@example.org' }, { jobId: 'intake-bad', removeOnComplete: true })
    const runs = arrivals<string>()
    await queues.work('intake', async ({ runId }) => {
      runs.add(runId)
      return done()
    })
    await queues.ask('intake', { runId: 'r2' })
    expect(await runs.next()).toBe('r2')
    await expect.poll(() => queues.counts()).toMatchObject({ intake: 0 })
    expect(runs.all).toEqual(['r2'])
    expect(queues.faults).toContain('job intake: BadPayloadError')
    expect(await (raw as Queue).getFailedCount()).toBe(1)
    await raw.close()
  })

  test('asking with a wrong payload is refused, and the error does not repeat it', async () => {
    const queues = await opened(await freshBackend())
    const refusal = await queues.ask('intake', { runId: 'jane@example.org' }).catch((error) => error)
    expect(refusal).toMatchObject({ name: 'BadPayloadError' })
    expect(refusal.message).toContain('runId')
    expect(refusal.message).not.toContain('jane')
  })

  test('emptying in the middle of work deletes everything, and the same worker goes on', async () => {
    const queues = await opened(await freshBackend())
    const runs = arrivals<string>()
    const release = Promise.withResolvers<void>()
    await queues.work('intake', async ({ runId }) => {
      runs.add(runId)
      if (runId === 'running') await release.promise
      return done()
    })
    await queues.ask('intake', { runId: 'running' })
    expect(await runs.next()).toBe('running')
    await queues.ask('intake', { runId: 'waiting' })
    await queues.ask('intake', { runId: 'delayed' }, { delayMs: 300 })
    await queues.ask('write-back', { runId: 'elsewhere' })
    await queues.empty()
    expect(Object.values(await queues.counts()).every((count) => count === 0)).toBe(true)
    release.resolve()
    await queues.ask('intake', { runId: 'later' })
    await queues.ask('intake', { runId: 'latest' }, { delayMs: 400 })
    expect([await runs.next(), await runs.next()]).toEqual(['later', 'latest'])
    expect(runs.all).toEqual(['running', 'later', 'latest'])
    expect(await queues.healthy()).toBe(true)
  })

  test('emptying ends a hold for workers that start later', async () => {
    const backend = await freshBackend()
    const holder = await opened(backend)
    const runs = arrivals<string>()
    await holder.work('intake', async ({ runId }) => {
      runs.add(runId)
      return hold(3_600_000, 'throttled')
    })
    await holder.ask('intake', { runId: 'held' })
    await runs.next()
    await holder.stop(10_000)
    const queues = await opened(backend)
    await queues.empty()
    await queues.work('intake', async ({ runId }) => {
      runs.add(runId)
      return done()
    })
    await queues.ask('intake', { runId: 'free' })
    expect(await runs.next()).toBe('free')
  })

  test('a queue is worked once per process', async () => {
    const queues = await opened(await freshBackend())
    await queues.work('sweep', async () => done())
    await expect(queues.work('sweep', async () => done())).rejects.toMatchObject({ name: 'WorkRefusedError' })
  })
})

async function keptFailures(backend: QueueBackend, name: string) {
  const queue = (await rawStore(backend)).openQueue(name, {})
  const failed = await (queue as Queue).getFailed()
  await queue.close()
  return failed.map(({ data, failedReason, stacktrace, attemptsMade }) => ({
    data,
    failedReason,
    stacktrace,
    attemptsMade,
  }))
}
