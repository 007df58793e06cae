// When the queues count as healthy.

import { randomUUID } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { queueNames } from '#src/platform/queue/queues.ts'
import type { StoredQueue, StoredWorker } from '#src/platform/queue/store.ts'
import { storedQueues } from '#src/platform/queue/stored-queues.ts'
import { done } from '#src/platform/queue/verdict.ts'
import { systemClock } from '#src/platform/time/clock.ts'
import { describeBothStores } from './both-stores.ts'
import { openRawStore } from './open-test-queues.ts'

describeBothStores('the health of the queues', (freshBackend) => {
  test('is bad once one of their workers has stopped taking jobs', async () => {
    const store = await openRawStore(await freshBackend())
    const workers: StoredWorker[] = []
    const openWorker: typeof store.openWorker = (...options) => {
      const worker = store.openWorker(...options)
      workers.push(worker)
      return worker
    }
    const entries = queueNames.map((name) => [name, store.openQueue(name, {})] as const)
    const byName = Object.fromEntries(entries) as Record<(typeof queueNames)[number], StoredQueue>
    const end = async () => void (await Promise.all(Object.values(byName).map((queue) => queue.close())))
    const parts = { store: { ...store, openWorker }, byName, clock: systemClock, onFault: () => {}, end }
    const queues = storedQueues({ ...parts, random: randomUUID })
    onTestFinished(async () => void (await queues.stop(1_000)))
    await queues.work('intake', async () => done())
    await queues.work('sweep', async () => done())
    expect(await queues.healthy()).toBe(true)

    await workers[0]?.close()
    expect(await queues.healthy()).toBe(false)
    expect(queues.working().map(({ name, isRequesting }) => [name, isRequesting])).toEqual([
      ['intake', false],
      ['sweep', true],
    ])
  })
})
