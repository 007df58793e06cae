// The queues in Redis or Valkey, through ioredis.

import { Queue, Worker } from 'bullmq'
import { Redis, type RedisOptions } from 'ioredis'
import { faultName } from './job-fault-error.ts'
import type { OnFault, Store } from './store.ts'

export interface RedisQueueBackend {
  kind: 'redis'
  url: string
  /** First part of every key; default `credsync`. */
  prefix?: string
}

// ioredis types replyMapping so that its own options don't pass under exactOptionalPropertyTypes; we never set it.
type Options = Omit<RedisOptions, 'replyMapping'>

// An in-flight add may be sent twice after a reconnect. We keep ioredis's resending all the same: without it such an add never
// settles (in 6.0), and as every add carries its job id the second one changes nothing.
const always: Options = { autoResendUnfulfilledCommands: true, connectTimeout: 5_000 }

// Asking fails at once while the server is away: the ledger's sweeper asks again.
const asking: Options = { ...always, maxRetriesPerRequest: 1, enableOfflineQueue: false }

// Workers wait through an outage; BullMQ demands null.
const working: Options = { ...always, maxRetriesPerRequest: null }

/** Opens the store. The connections are made in the background; `waitUntilReady` of a queue says when. */
export function openRedisStore(backend: RedisQueueBackend, onFault: OnFault): Store {
  const connections = new Set<Redis>()
  const open = (where: string, options: Options) => {
    const named = { ...options, connectionName: `credsync-${where}` }
    const connection = new Redis(backend.url, named)
    connections.add(connection)
    trackCopies(connection, connections)
    connection.on('error', (error) => onFault(`redis ${where}`, faultName(error)))
    return connection
  }
  const forAsking = open('asking', asking)
  const forWorking = open('working', working)
  const prefix = backend.prefix ?? 'credsync'
  return {
    openQueue: (name, options) => new Queue(name, { ...options, prefix, connection: forAsking }),
    openWorker: (name, processor, options) =>
      new Worker(name, processor, { ...options, prefix, connection: forWorking }),
    close: async () => {
      for (const connection of connections) connection.disconnect()
    },
  }
}

// BullMQ makes a copy of the working connection for each worker's blocking read, and can't end that copy while the server is
// away. Knowing the copies lets us end them.
function trackCopies(connection: Redis, all: Set<Redis>): void {
  const duplicate = connection.duplicate.bind(connection)
  connection.duplicate = (override) => {
    const copy = duplicate(override)
    // The worker listens as well and reports; this one only keeps a late error from ending the process.
    copy.on('error', () => {})
    all.add(copy)
    return copy
  }
}
