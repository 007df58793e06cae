// The queues in PostgreSQL: BullMQ's own backend, in a schema beside the ledger's.

import { Queue, runMigrations, Worker } from 'bullmq'
import pg from 'pg'
import { faultName } from '#src/log/fault-name.ts'
import type { Clock } from '#src/time/clock.ts'
import { QueueUnreachableError, settlesWithin } from './answer-within.ts'
import { checkClockSkew } from './clock-skew.ts'
import { createQueueBackend } from './queue-connection.ts'
import type { Store } from './store.ts'

export interface PostgresQueueBackend {
  kind: 'postgres'
  url: string
  /** Where BullMQ keeps its tables. Small letters and underscores. */
  schema: string
}

/**
 * Connections at most of a queue's pool and of its worker's. Small pools, opened as needed and closed when idle: two for each queue must fit
 * beside the ledger's into the usual 100 connections. A worker keeps one of its four for LISTEN.
 */
export const poolSizes = { asking: 2, working: 4 }

/** For a pool to end its connections; a server that is gone never lets it. */
export const closeMs = 2_000

/**
 * Brings BullMQ's tables up to date and opens the store.
 * @throws QueueUnreachableError, ClockSkewError
 */
export async function openPostgresStore(backend: PostgresQueueBackend, clock: Clock): Promise<Store> {
  await prepareSchema(backend, clock)
  const connection = { ...connectionOf(backend.url), schema: backend.schema }
  const asking = { ...connection, max: poolSizes.asking }
  const working = { ...connection, max: poolSizes.working }
  const opened: { getBackend(): { close(): Promise<void> } }[] = []
  return {
    openQueue: (name, options) => new Queue(name, { ...options, connection: asking }, createQueueBackend),
    openWorker: (name, processor, options) => {
      const worker = new Worker(name, processor, { ...options, connection: working }, createQueueBackend)
      opened.push(worker)
      return worker
    },
    // Jobs go where the ledger goes.
    isNew: async () => false,
    write: async () => {},
    id: async () => null,
    // Each queue and worker ends its own pool. Only a worker left behind with a job has not come to that.
    close: async () => {
      await settlesWithin(clock, closeMs, Promise.allSettled(opened.map((worker) => worker.getBackend().close())))
    },
  }
}

// BullMQ takes a transaction-wide advisory lock per schema, so several processes may do this at once: the first migrates,
// the others wait and find it done.
async function prepareSchema(backend: PostgresQueueBackend, clock: Clock): Promise<void> {
  const client = new pg.Client(connectionOf(backend.url))
  client.on('error', () => {})
  try {
    await client.connect().catch((error) => {
      throw new QueueUnreachableError('connect to PostgreSQL', faultName(error))
    })
    await checkClockSkew(client, clock)
    await runMigrations(client, backend.schema)
  } finally {
    await client.end().catch(() => {})
  }
}

/**
 * Connection options of a URL. BullMQ sets the search path through `options`, and pg lets `options` inside a URL win over it
 * in silence; so those are taken out of the URL and handed over beside it, where BullMQ adds to them.
 */
function connectionOf(url: string): { connectionString: string; options?: string } & typeof limits {
  if (!url.includes('options=')) return { connectionString: url, ...limits }
  const parsed = new URL(url)
  const options = parsed.searchParams.get('options') ?? ''
  parsed.searchParams.delete('options')
  return { connectionString: parsed.href, options, ...limits }
}

// Without these a query on a connection that died in silence would hold its place in the pool for a quarter of an hour.
const limits = {
  connectionTimeoutMillis: 5_000,
  query_timeout: 30_000,
  keepAlive: true,
  application_name: 'credsync-queue',
}
