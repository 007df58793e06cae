// Opens queues for a test, and records their faults and the arrival of their jobs.

import { onTestFinished } from 'vitest'
import { openQueues, type QueueBackend, type Queues } from '#src/platform/queue/open-queues.ts'
import { openPostgresStore } from '#src/platform/queue/postgres-store.ts'
import { openRedisStore } from '#src/platform/queue/redis-store.ts'
import type { Store } from '#src/platform/queue/store.ts'
import { systemClock } from '#src/platform/time/clock.ts'

export interface TestQueues extends Queues {
  /** The calls of onFault, as `where: class`. */
  faults: string[]
}

/** Opens queues that are stopped when the test ends. BullMQ uses real timers, so the clock is real too. */
export async function openTestQueues(backend: QueueBackend, clock = systemClock): Promise<TestQueues> {
  const faults: string[] = []
  const onFault = (where: string, errorClass: string) => void faults.push(`${where}: ${errorClass}`)
  const queues = await openQueues({ backend, onFault, clock })
  onTestFinished(async () => void (await queues.stop(1_000)))
  return Object.assign(queues, { faults })
}

/**
 * Opens the store without the checks of our queues, so that a test can add jobs that `enqueue` would refuse and read
 * what BullMQ has stored. The store is closed when the test ends.
 */
export async function openRawStore(backend: QueueBackend): Promise<Store> {
  const store =
    backend.kind === 'redis' ? openRedisStore(backend, () => {}) : await openPostgresStore(backend, systemClock)
  onTestFinished(() => store.close())
  return store
}

/**
 * Returns a recorder of values. Each call of `next` resolves to the oldest value that no earlier call has returned, and
 * waits if there is none yet. `all` contains every value so far.
 */
export function recordArrivals<Value>(): { add(value: Value): void; next(): Promise<Value>; all: Value[] } {
  const all: Value[] = []
  const unread: Value[] = []
  const waiting: ((value: Value) => void)[] = []
  return {
    all,
    add(value) {
      all.push(value)
      const wake = waiting.shift()
      if (wake) wake(value)
      else unread.push(value)
    },
    next() {
      const value = unread.shift()
      return value === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(value)
    },
  }
}
