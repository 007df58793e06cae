// The interface that the two stores of the queues, PostgreSQL and Redis, have in common.

import type { Processor, Queue, QueueOptions, Worker, WorkerOptions } from 'bullmq'

/** The parts of BullMQ's Queue that are used, the same for both backends. */
export type StoredQueue = Pick<
  Queue,
  'add' | 'close' | 'getJobCountByTypes' | 'getJobCounts' | 'obliterate' | 'resume' | 'waitUntilReady'
> & { on(event: 'error', listener: (error: Error) => void): unknown }

/** The parts of BullMQ's Worker that are used, the same for both backends. */
export type StoredWorker = Pick<Worker, 'close' | 'concurrency' | 'isRunning' | 'pause' | 'waitUntilReady'> & {
  on(event: 'error', listener: (error: Error) => void): unknown
  on(event: 'lockRenewalFailed', listener: (jobIds: string[]) => void): unknown
  /** The backend, which requests jobs from the store. */
  getBackend(): { moveToActive(token: string, name?: string): Promise<unknown> }
}

export interface Store {
  /** Opens a queue for adding jobs. Its calls fail fast or are cut off by our own deadline. */
  openQueue(name: string, options: Omit<QueueOptions, 'connection' | 'prefix'>): StoredQueue
  /** Opens a worker for running jobs. It starts taking jobs immediately and waits through outages. */
  openWorker(name: string, processor: Processor, options: Omit<WorkerOptions, 'connection' | 'prefix'>): StoredWorker
  /** Resolves to true if the store was created or emptied and `noteRestored` has not been called since. */
  isNew(): Promise<boolean>
  /** Notes that everything due will be queued again. Changes nothing if the store was emptied after `isNew`. */
  noteRestored(): Promise<unknown>
  /** Resolves if the store accepts a write; a store can answer reads and still refuse writes. */
  write(): Promise<unknown>
  /**
   * Returns an id that distinguishes this store from others that the ledger's workers may use by mistake; null if the
   * ledger's own database is the store.
   */
  id(): Promise<string | null>
  /**
   * Ends every connection, including those that BullMQ opened and could not end itself. Does not wait for the server.
   */
  close(): Promise<void>
}

/**
 * Called with every fault of a connection, queue or worker: where it occurred, and the error's class and code, but
 * never its message.
 */
export type OnFault = (where: string, errorClass: string) => void

/**
 * Deletes the queue's jobs in every state. The worker of a running job finds no job to settle, which is reported as a
 * fault but is harmless.
 */
export async function emptyQueue(queue: StoredQueue): Promise<void> {
  try {
    // Pauses the queue first, for all processes, and removes the pause with the last of the queue's data.
    await queue.obliterate({ force: true })
  } finally {
    // A crash or an error between the two would leave the queue paused forever while every worker looks healthy.
    await queue.resume()
  }
}
