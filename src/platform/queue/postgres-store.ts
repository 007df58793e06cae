// The queues in PostgreSQL: BullMQ's own backend, in a schema next to the ledger's.

import { Queue, runMigrations, Worker } from 'bullmq'
import pg from 'pg'
import { createSchema } from '#src/platform/database/create-schema.ts'
import { databaseError } from '#src/platform/database/database-error.ts'
import { sessionOptions } from '#src/platform/database/session-settings.ts'
import type { Clock } from '#src/platform/time/clock.ts'
import { openMs, settlesWithin } from './answer-within.ts'
import { checkClockSkew } from './clock-skew.ts'
import { createQueueBackend, openQueuePool } from './queue-connection.ts'
import type { Store } from './store.ts'

export interface PostgresQueueBackend {
  kind: 'postgres'
  url: string
  /** The schema for BullMQ's tables. Lower-case letters and underscores. */
  schema: string
}

/**
 * The maximum number of connections in the pool for adding jobs and in the pool for running them. All queues of the
 * process share both pools. Connections are opened as needed and closed when idle; together with the ledger's they must
 * fit into the usual 100 connections. One of those for running is used for LISTEN only. A few are enough, because
 * BullMQ's statements take about a millisecond. When the pools were larger, each start opened all connections at the
 * same time and used most of them only once.
 */
export const poolSizes = { adding: 2, running: 1 + 4 }

/** How long to wait for a pool to end its connections, which never completes if the server is down. */
export const closeMs = 2_000

/**
 * Migrates BullMQ's tables and opens the store.
 * @throws DatabaseUnreachableError, DatabaseRefusedError, ClockSkewError
 */
export async function openPostgresStore(backend: PostgresQueueBackend, clock: Clock): Promise<Store> {
  await prepareSchema(backend, clock)
  const open = (max: number) =>
    openQueuePool({ connectionString: backend.url, ...connectionLimits, schema: backend.schema, max })
  const adding = open(poolSizes.adding)
  const running = open(poolSizes.running)
  const workers: { getBackend(): { close(): Promise<void> } }[] = []
  return {
    openQueue: (name, options) => new Queue(name, { ...options, connection: adding }, createQueueBackend),
    openWorker: (name, processor, options) => {
      const worker = new Worker(name, processor, { ...options, connection: running }, createQueueBackend)
      workers.push(worker)
      return worker
    },
    // Jobs share the ledger's database, so they cannot be lost separately.
    isNew: async () => false,
    noteRestored: async () => {},
    write: async () => {},
    id: async () => null,
    close: async () => {
      // A worker that was abandoned with a running job still has its LISTEN connection.
      const released = Promise.allSettled(workers.map((worker) => worker.getBackend().close()))
      const ended = released.then(() => Promise.allSettled([adding.pool.end(), running.pool.end()]))
      await settlesWithin(clock, closeMs, ended)
    },
  }
}

// BullMQ takes a transaction-wide advisory lock per schema, so several processes may do this at the same time: the
// first migrates, and the others wait and find the migration done.
async function prepareSchema(backend: PostgresQueueBackend, clock: Clock): Promise<void> {
  const client = new pg.Client({
    connectionString: backend.url,
    ...connectionLimits,
    options: sessionOptions(backend.schema),
  })
  client.on('error', () => {})
  try {
    await client.connect()
    await checkClockSkew(client, clock)
    // BullMQ's own statement needs the right to create schemas even where the schema exists.
    const query = (text: string, values: readonly unknown[] = []) =>
      client.query(text.startsWith('CREATE SCHEMA') ? createSchema(backend.schema) : text, [...values])
    await runMigrations({ query }, backend.schema)
  } catch (error) {
    throw databaseError(error, false)
  } finally {
    await client.end().catch(() => {})
  }
}

// Without these, a query on a silently dead connection would occupy its place in the pool for a quarter of an hour.
const connectionLimits = {
  connectionTimeoutMillis: openMs,
  query_timeout: 30_000,
  keepAlive: true,
  application_name: 'credsync-queue',
}
