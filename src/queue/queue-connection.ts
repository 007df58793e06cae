// Connections to PostgreSQL that BullMQ can work with and that never end the process. BullMQ's own begin to listen for errors once they are
// made: a server that ends one in that very instant would end the worker with it (measured: 2 of 1,800 rounds of pg_terminate_backend).

import {
  type BackendFactory,
  PostgresConnection,
  type PostgresConnectionOptions,
  type PostgresPoolConfig,
  PostgresQueueBackend,
} from 'bullmq'
import pg from 'pg'

export type QueueConnectionConfig = PostgresPoolConfig & { schema: string }

/** A pool of its own, which closes with it; one place of it is for LISTEN. */
export class QueueConnection extends PostgresConnection {
  // Handed a pool, BullMQ assumes its default schema.
  override readonly schema: string
  readonly #pool: pg.Pool

  constructor({ schema, ...config }: QueueConnectionConfig) {
    const pool = new pg.Pool({ ...config, options: `${config.options ?? ''} -c search_path="${schema}"`.trim() })
    // In the very tick in which a connection is made, before anybody gets it.
    pool.on('connect', keepErrors)
    super(pool as unknown as PostgresConnectionOptions)
    this.schema = schema
    this.#pool = pool
  }

  // The store has brought the tables up to date before it opens anything. BullMQ would look again and keep the answer for ever: after one
  // failed look a worker asks for jobs in a circle that lets nothing else run, not even a signal (measured).
  override waitUntilReady(): Promise<void> {
    return Promise.resolve()
  }

  override async close(): Promise<void> {
    await super.close()
    if (!this.#pool.ending) await this.#pool.end()
  }
}

/**
 * An error that comes before anybody listens is told again in the same turn, once BullMQ had its chance to listen. Only swallowed, it would
 * leave BullMQ with a dead LISTEN connection that it tries again without a pause and without an end.
 */
function keepErrors(client: pg.PoolClient): void {
  let told = false
  client.on('error', (error) => {
    if (told || client.listenerCount('error') > 1) return
    told = true
    process.nextTick(() => queueMicrotask(() => client.emit('error', error)))
  })
}

/** BullMQ's way of making a backend for a queue or a worker. `connection` must be a QueueConnectionConfig. */
export const createQueueBackend: BackendFactory<PostgresQueueBackend, QueueConnectionConfig> = (
  name,
  options,
  { withBlockingConnection } = {},
) => {
  const connection = new QueueConnection(options.connection)
  // A worker's LISTEN connection bears its queue's name in pg_stat_activity.
  return new PostgresQueueBackend(connection, name, options, true, withBlockingConnection ? name : undefined)
}
