// Opened queues for a test, and what happens in them as something to wait for.

import { onTestFinished } from 'vitest'
import { openQueues, type QueueBackend, type Queues } from '#src/queue/open-queues.ts'
import { openPostgresStore } from '#src/queue/postgres-store.ts'
import { openRedisStore } from '#src/queue/redis-store.ts'
import type { Store } from '#src/queue/store.ts'
import { systemClock } from '#src/time/clock.ts'

export interface Opened extends Queues {
  /** What onFault was told, `where: class` each. */
  faults: string[]
}

/** Opens queues that are stopped when the test ends. BullMQ's own timers are real, so the clock is, too. */
export async function opened(backend: QueueBackend): Promise<Opened> {
  const faults: string[] = []
  const onFault = (where: string, errorClass: string) => void faults.push(`${where}: ${errorClass}`)
  const queues = await openQueues({ backend, onFault, clock: systemClock })
  onTestFinished(async () => void (await queues.stop(1_000)))
  return Object.assign(queues, { faults })
}

/** BullMQ's own view of the same store, to put in what `ask` would refuse and to read what BullMQ kept. */
export async function rawStore(backend: QueueBackend): Promise<Store> {
  const store =
    backend.kind === 'redis' ? openRedisStore(backend, () => {}) : await openPostgresStore(backend, systemClock)
  onTestFinished(() => store.close())
  return store
}

/** Values that arrive one by one and can be waited for. */
export function arrivals<Value>(): { add(value: Value): void; next(): Promise<Value>; all: Value[] } {
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
