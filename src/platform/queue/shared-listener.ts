// The connection on which all workers of a process wait for notifications. PostgreSQL sends every notification to each
// connection that listens, and BullMQ picks those of its queue, so one connection is enough for all queues. With a
// connection per queue, opening them took half of a worker's starting time.

import { EventEmitter } from 'node:events'
import type pg from 'pg'

/** What one worker sees of the connection; to BullMQ it is a connection of its own. */
export class ListenerShare extends EventEmitter {
  readonly #connection: ListeningConnection

  constructor(connection: ListeningConnection) {
    super()
    this.#connection = connection
    reemitEarlyError(this)
  }

  query(text: string, values?: unknown[]): Promise<pg.QueryResult> {
    return this.#connection.query(text, values)
  }

  release(): void {
    this.#connection.leave(this)
  }
}

/**
 * Opens the connection for the first worker, and another after a fault. It is closed when the last worker leaves it.
 */
export class SharedListener {
  readonly #pool: pg.Pool
  #opening: Promise<ListeningConnection> | null = null

  constructor(pool: pg.Pool) {
    this.#pool = pool
  }

  /** @throws what pg throws if it cannot connect */
  async join(): Promise<ListenerShare> {
    this.#opening ??= this.#open()
    return (await this.#opening).join()
  }

  #open(): Promise<ListeningConnection> {
    const forget = () => {
      if (this.#opening === opening) this.#opening = null
    }
    const opening = this.#pool.connect().then((client) => new ListeningConnection(client, forget))
    opening.catch(forget)
    return opening
  }
}

class ListeningConnection {
  readonly #client: pg.PoolClient
  readonly #shares = new Set<ListenerShare>()
  readonly #onClosed: () => void
  #closedBy: Error | null = null
  #lastQuery: Promise<unknown> = Promise.resolve()

  constructor(client: pg.PoolClient, onClosed: () => void) {
    this.#client = client
    this.#onClosed = onClosed
    client.on('notification', (message) => {
      for (const share of this.#shares) share.emit('notification', message)
    })
    client.on('error', (error) => {
      this.#close(error)
      for (const share of this.#shares) share.emit('error', error)
    })
  }

  join(): ListenerShare {
    const share = new ListenerShare(this)
    this.#shares.add(share)
    // The connection broke, or its last worker left, between opening and this call. BullMQ joins again after the error.
    if (this.#closedBy) share.emit('error', this.#closedBy)
    return share
  }

  /** Runs statements one after another, as pg requires when a connection is shared. */
  query(text: string, values?: unknown[]): Promise<pg.QueryResult> {
    const run = () => this.#client.query(text, values)
    const answer = this.#lastQuery.then(run, run)
    this.#lastQuery = answer
    return answer
  }

  leave(share: ListenerShare): void {
    this.#shares.delete(share)
    if (this.#shares.size === 0) this.#close(new Error('no worker listens any more'))
  }

  // Also removes it from the pool, so that no subscription reaches the next user.
  #close(reason: Error): void {
    if (this.#closedBy) return
    this.#closedBy = reason
    this.#onClosed()
    this.#client.release(true)
  }
}

/**
 * Emits an error a second time if it occurs before BullMQ listens: in the same turn of the event loop, but after BullMQ
 * has had the chance to add its listener. If the error were swallowed, BullMQ would keep a broken LISTEN connection and
 * retry it endlessly without a pause.
 */
export function reemitEarlyError(client: EventEmitter): void {
  let isReemitted = false
  client.on('error', (error) => {
    if (isReemitted || client.listenerCount('error') > 1) return
    isReemitted = true
    process.nextTick(() => queueMicrotask(() => client.emit('error', error)))
  })
}
