// PostgreSQL connections for BullMQ whose errors never end the process. BullMQ adds its error listener only after it
// has created a connection: if the server closes the connection in that instant, the worker would end too (measured: 2
// of 1,800 rounds of pg_terminate_backend).

import {
  type BackendFactory,
  PostgresConnection,
  type PostgresConnectionOptions,
  type PostgresPoolConfig,
  PostgresQueueBackend,
} from 'bullmq'
import pg from 'pg'

/** A pool that several queues or workers share. Its opener must end it. */
export type QueuePool = {
  pool: pg.Pool
  /** The schema that its connections search. */
  schema: string
}

/** Opens a pool whose connections search only the schema of BullMQ's tables. */
export function openQueuePool({ schema, ...config }: PostgresPoolConfig & { schema: string }): QueuePool {
  const pool = new pg.Pool({ ...config, options: `-c search_path="${schema}"` })
  // The listener is added in the tick in which a connection is created, before any caller gets the connection.
  pool.on('connect', reemitEarlyError)
  // Every queue and worker listens for errors of idle connections.
  pool.setMaxListeners(0)
  return { pool, schema }
}

/**
 * Gives one queue or worker access to a pool. A worker keeps one of the pool's connections for LISTEN until it closes.
 */
export class QueueConnection extends PostgresConnection {
  // When it is given a pool, BullMQ assumes its default schema.
  override readonly schema: string

  constructor({ pool, schema }: QueuePool) {
    super(pool as unknown as PostgresConnectionOptions)
    this.schema = schema
  }

  // The store migrates the tables before it opens anything. BullMQ would check again and keep the result forever: after
  // one failed check a worker requests jobs in a loop that lets nothing else run, not even a signal handler (measured).
  override waitUntilReady(): Promise<void> {
    return Promise.resolve()
  }
}

/**
 * Emits an error a second time if it occurs before BullMQ listens: in the same turn of the event loop, but after BullMQ
 * has had the chance to add its listener. If the error were swallowed, BullMQ would keep a broken LISTEN connection and
 * retry it endlessly without a pause.
 */
function reemitEarlyError(client: pg.PoolClient): void {
  let isReemitted = false
  client.on('error', (error) => {
    if (isReemitted || client.listenerCount('error') > 1) return
    isReemitted = true
    process.nextTick(() => queueMicrotask(() => client.emit('error', error)))
  })
}

/** Creates a backend for a queue or a worker, in the form that BullMQ expects. */
export const createQueueBackend: BackendFactory<PostgresQueueBackend, QueuePool> = (
  name,
  options,
  { withBlockingConnection } = {},
) => {
  const connection = new QueueConnection(options.connection)
  // A worker's LISTEN connection has its queue's name in pg_stat_activity.
  return new PostgresQueueBackend(connection, name, options, true, withBlockingConnection ? name : undefined)
}
