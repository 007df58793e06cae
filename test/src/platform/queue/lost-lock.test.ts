// A job whose lock is lost is interrupted, because another worker may already be running it.

import { expect, onTestFinished, test } from 'vitest'
import { RunningJobs } from '#src/platform/queue/running-jobs.ts'
import { startQueueWorker } from '#src/platform/queue/start-worker.ts'
import { emptyQueue } from '#src/platform/queue/store.ts'
import { done } from '#src/platform/queue/verdict.ts'
import { systemClock } from '#src/platform/time/clock.ts'
import { describeBothStores } from './both-stores.ts'
import { openRawStore } from './open-test-queues.ts'

describeBothStores('a job without its lock', (freshBackend) => {
  test('is interrupted', async () => {
    const store = await openRawStore(await freshBackend())
    const queue = store.openQueue('intake', {})
    const started = Promise.withResolvers<void>()
    const interrupted = Promise.withResolvers<unknown>()
    const wait = async (_: unknown, { signal }: { signal: AbortSignal }) => {
      signal.addEventListener('abort', () => interrupted.resolve(signal.reason))
      started.resolve()
      await interrupted.promise
      return done()
    }
    // The lock is renewed twice in its duration, which is a minute otherwise.
    const openWorker: typeof store.openWorker = (name, run, options) =>
      store.openWorker(name, run, { ...options, lockDuration: 500 })
    const worker = startQueueWorker('intake', wait, undefined, {
      ...{ store: { ...store, openWorker }, running: new RunningJobs(), clock: systemClock },
      ...{ onFault: () => {}, stopping: () => false },
    })
    onTestFinished(async () => {
      await worker.close(true)
      await queue.close()
    })
    await queue.add('intake', { runId: 'r1' })
    await started.promise
    await emptyQueue(queue)
    expect(await interrupted.promise).toMatchObject({ message: expect.stringContaining('(lock-lost)') })
  })
})
