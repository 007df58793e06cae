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
import { sessionOptions } from '#src/platform/database/session-settings.ts'
import { reemitEarlyError, SharedListener } from './shared-listener.ts'

/** A pool that several queues or workers share. Its opener must end it. */
export type QueuePool = {
  pool: pg.Pool
  /** The pool's connection for LISTEN. */
  listener: SharedListener
  /** The schema that its connections search. */
  schema: string
}

/** Opens a pool whose connections search only the schema of BullMQ's tables. */
export function openQueuePool({ schema, ...config }: PostgresPoolConfig & { schema: string }): QueuePool {
  const pool = new pg.Pool({ ...config, options: sessionOptions(schema) })
  // The listener is added in the tick in which a connection is created, before any caller gets the connection.
  pool.on('connect', reemitEarlyError)
  // Every queue and worker listens for errors of idle connections. Without any queue or worker, nobody has to be
  // notified.
  pool.on('error', () => {})
  pool.setMaxListeners(0)
  return { pool, listener: new SharedListener(pool), schema }
}

/** Gives one queue or worker access to a pool. All workers of a pool share one of its connections for LISTEN. */
export class QueueConnection extends PostgresConnection {
  // When it is given a pool, BullMQ assumes its default schema.
  override readonly schema: string

  constructor({ pool, listener, schema }: QueuePool) {
    // BullMQ takes a connection out of the pool only for LISTEN.
    const shared = {
      options: pool.options,
      query: pool.query.bind(pool),
      connect: () => listener.join(),
      end: () => pool.end(),
      on: pool.on.bind(pool),
      removeAllListeners: pool.removeAllListeners.bind(pool),
    }
    super(shared as unknown as PostgresConnectionOptions)
    this.schema = schema
  }

  // The store migrates the tables before it opens anything. BullMQ would check again and keep the result forever: after
  // one failed check a worker requests jobs in a loop that lets nothing else run, not even a signal handler (measured).
  override waitUntilReady(): Promise<void> {
    return Promise.resolve()
  }
}

/** Creates a backend for a queue or a worker, in the form that BullMQ expects. */
export const createQueueBackend: BackendFactory<PostgresQueueBackend, QueuePool> = (name, options) =>
  new PostgresQueueBackend(new QueueConnection(options.connection), name, options)
