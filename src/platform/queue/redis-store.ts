// The queues in Redis or Valkey: BullMQ's own backend, with our connections and a marker that shows a lost store.

import { randomUUID } from 'node:crypto'
import { Queue, Worker } from 'bullmq'
import { openJobConnections } from '#src/platform/redis/job-connections.ts'
import type { OnFault, Store } from './store.ts'

export interface RedisQueueBackend {
  kind: 'redis'
  url: string
  /** The prefix of every key; default `credsync`. */
  prefix?: string
}

/**
 * Opens the store. Connections are made in the background; `waitUntilReady` of a queue resolves when they are ready.
 */
export function openRedisStore(backend: RedisQueueBackend, onFault: OnFault): Store {
  const { adding, working, close } = openJobConnections(backend.url, onFault)
  const prefix = backend.prefix ?? 'credsync'
  const known = `${prefix}:known`
  return {
    openQueue: (name, options) => new Queue(name, { ...options, prefix, connection: adding }),
    openWorker: (name, processor, options) => new Worker(name, processor, { ...options, prefix, connection: working }),
    // The marker is lost together with the jobs, by FLUSHALL or by a restart without persistence. Its value is `found`
    // until the jobs are queued again, so that a crash, a lost answer or a second loss in between is noticed.
    async isNew() {
      await adding.set(known, 'found', 'NX')
      return (await adding.get(known)) === 'found'
    },
    noteRestored: () => adding.set(known, 'restored', 'XX'),
    write: () => adding.set(`${prefix}:written`, 1, 'PX', 60_000),
    // The first caller sets the id. It is lost with everything else, so an emptied store gets a different id.
    async id() {
      const key = `${prefix}:store`
      await adding.set(key, randomUUID(), 'NX')
      return adding.get(key)
    },
    close: async () => close(),
  }
}
