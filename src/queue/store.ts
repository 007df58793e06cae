// What the two stores of the queues, PostgreSQL and Redis, have in common.

import type { Processor, Queue, QueueOptions, Worker, WorkerOptions } from 'bullmq'

/** The part of BullMQ's Queue in use, the same for both of its backends. */
export type StoredQueue = Pick<
  Queue,
  | 'add'
  | 'close'
  | 'getJobCountByTypes'
  | 'getJobCounts'
  | 'getJobSchedulers'
  | 'obliterate'
  | 'removeJobScheduler'
  | 'removeRateLimitKey'
  | 'resume'
  | 'upsertJobScheduler'
  | 'waitUntilReady'
> & { on(event: 'error', listener: (error: Error) => void): unknown }

/** The part of BullMQ's Worker in use, the same for both of its backends. */
export type StoredWorker = Pick<Worker, 'close' | 'isRunning' | 'pause' | 'rateLimit' | 'waitUntilReady'> & {
  on(event: 'error', listener: (error: Error) => void): unknown
  on(event: 'lockRenewalFailed', listener: (jobIds: string[]) => void): unknown
}

export interface Store {
  /** The asking side. Its calls fail fast or are cut off by our own deadline. */
  openQueue(name: string, options: Omit<QueueOptions, 'connection' | 'prefix'>): StoredQueue
  /** The working side. Starts to take jobs at once and waits through outages. */
  openWorker(name: string, processor: Processor, options: Omit<WorkerOptions, 'connection' | 'prefix'>): StoredWorker
  /** True for the first who asks since the store knows anything. */
  isNew(): Promise<boolean>
  /** Resolves when the store takes what is written to it; it may answer questions and refuse that. */
  write(): Promise<unknown>
  /** What tells this store from another one that the same ledger's workers may be told; null where the ledger's own database is the store. */
  id(): Promise<string | null>
  /** Ends every connection, also those that BullMQ opened and could not end itself. Does not wait for a server that is silent. */
  close(): Promise<void>
}

/** Told of every fault of a connection, queue or worker: where, and the error's class and code. Never the error's text. */
export type OnFault = (where: string, errorClass: string) => void
