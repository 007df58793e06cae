// Opens the queues in PostgreSQL or in Redis.

import { randomUUID } from 'node:crypto'
import { faultName } from '#src/platform/log/fault-name.ts'
import type { Clock } from '#src/platform/time/clock.ts'
import { openWithin, settlesWithin } from './answer-within.ts'
import { openPostgresStore, type PostgresQueueBackend } from './postgres-store.ts'
import { type QueueName, queueNames, queues } from './queues.ts'
import type { RedisQueueBackend } from './redis-store.ts'
import type { OnFault, Store, StoredQueue } from './store.ts'
import { answerMs, type Queues, storedQueues } from './stored-queues.ts'

export type { QueueName } from './queues.ts'
export type { QueueDepth, Queues, WorkingQueue } from './stored-queues.ts'

export type QueueBackend = PostgresQueueBackend | RedisQueueBackend

/**
 * Opens all queues. The store must be reachable: a wrong address should be reported immediately instead of looking like
 * an outage.
 * @throws QueueUnreachableError; in PostgreSQL also what openPostgresStore throws
 */
export async function openQueues(settings: {
  backend: QueueBackend
  onFault: OnFault
  clock: Clock
  /** Returns a different string on every call; default: a random UUID. */
  random?: () => string
}): Promise<Queues> {
  const { backend, clock } = settings
  let ended = false
  // When connections are ended by force, BullMQ reports a fault for each of them.
  const onFault: OnFault = (where, errorClass) => ended || settings.onFault(where, errorClass)
  const store = await openStore(backend, clock, onFault)
  const byName = openAllQueues(store, onFault)
  const end = async () => {
    ended = true
    await settlesWithin(clock, answerMs, Promise.allSettled(Object.values(byName).map((queue) => queue.close())))
    await store.close()
  }
  try {
    const ready = Promise.all(Object.values(byName).map((queue) => queue.waitUntilReady()))
    await openWithin(clock, 'open the queues', ready)
  } catch (error) {
    await end()
    throw error
  }
  return storedQueues({ store, byName, clock, onFault, random: settings.random ?? randomUUID, end })
}

/** Loads the code of Redis only if it is used. */
async function openStore(backend: QueueBackend, clock: Clock, onFault: OnFault): Promise<Store> {
  if (backend.kind === 'postgres') return openPostgresStore(backend, clock)
  const { openRedisStore } = await import('./redis-store.ts')
  return openRedisStore(backend, onFault)
}

function openAllQueues(store: Store, onFault: OnFault): Record<QueueName, StoredQueue> {
  const opened = queueNames.map((name) => {
    const { attempts, removeOnComplete, removeOnFail } = queues[name].options
    const backoff = { type: 'exponential', delay: 1_000, jitter: 0.5 }
    // No stack traces: they would be stored unencrypted.
    const defaultJobOptions = { attempts, removeOnComplete, removeOnFail, backoff, stackTraceLimit: 0 }
    const queue = store.openQueue(name, { defaultJobOptions })
    queue.on('error', (error) => onFault(`queue ${name}`, faultName(error)))
    return [name, queue]
  })
  return Object.fromEntries(opened)
}
