// The queues in Redis or Valkey.

import { randomUUID } from 'node:crypto'
import { Queue, Worker } from 'bullmq'
import { openJobConnections } from '#src/redis/job-connections.ts'
import type { OnFault, Store } from './store.ts'

export interface RedisQueueBackend {
  kind: 'redis'
  url: string
  /** First part of every key; default `credsync`. */
  prefix?: string
}

/** Opens the store. The connections are made in the background; `waitUntilReady` of a queue says when. */
export function openRedisStore(backend: RedisQueueBackend, onFault: OnFault): Store {
  const { asking, working, close } = openJobConnections(backend.url, onFault)
  const prefix = backend.prefix ?? 'credsync'
  return {
    openQueue: (name, options) => new Queue(name, { ...options, prefix, connection: asking }),
    openWorker: (name, processor, options) => new Worker(name, processor, { ...options, prefix, connection: working }),
    // A mark that goes with everything else: FLUSHALL, or a restart with nothing on disk.
    isNew: async () => (await asking.set(`${prefix}:known`, 1, 'NX')) === 'OK',
    write: () => asking.set(`${prefix}:written`, 1, 'PX', 60_000),
    // The first who asks gives it, and it goes with everything else, so that a store that was emptied is another one to all.
    async id() {
      const key = `${prefix}:store`
      await asking.set(key, randomUUID(), 'NX')
      return asking.get(key)
    },
    close: async () => close(),
  }
}
