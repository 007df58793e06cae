// The queues in Redis or Valkey.

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
    close: async () => close(),
  }
}
