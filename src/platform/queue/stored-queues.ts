// Adds jobs to the queues and runs them, in either store. A queue is only a to-do list: the ledger is the source of
// truth, and its sweep adds a lost job again.

import { faultName } from '#src/platform/log/fault-name.ts'
import type { Clock } from '#src/platform/time/clock.ts'
import { answerWithin, openWithin } from './answer-within.ts'
import { parsePayload } from './payload.ts'
import { freshJobId, type Payload, type QueueName, queueNames } from './queues.ts'
import { RunningJobs } from './running-jobs.ts'
import { type Processor, startQueueWorker } from './start-worker.ts'
import { stopWorkers } from './stop-workers.ts'
import { emptyQueue, type OnFault, type Store, type StoredQueue, type StoredWorker } from './store.ts'

/** How long a caller waits at most. The ledger has already committed, so it is safe to go on without an answer. */
export const answerMs = 2_000

export interface QueueDepth {
  /** Jobs that wait for a worker. */
  waiting: number
  active: number
  /** Jobs that are not due yet. */
  delayed: number
  failed: number
}

export interface WorkingQueue {
  name: QueueName
  /** Whether its worker still requests jobs. */
  isRequesting: boolean
  /** Jobs that this process has started so far, and those of them that have not ended. */
  startedCount: number
  unfinishedCount: number
}

interface Parts {
  store: Store
  byName: Record<QueueName, StoredQueue>
  clock: Clock
  onFault: OnFault
  random: () => string
  /** Ends every connection. */
  end: () => Promise<void>
}

export type Queues = ReturnType<typeof storedQueues>

/** Called by openQueues. */
export function storedQueues({ store, byName, clock, onFault, random, end }: Parts) {
  const workers = new Map<QueueName, StoredWorker>()
  const running = new RunningJobs()
  let stopped: Promise<{ unfinished: number }> | null = null
  const stopping = () => stopped !== null

  /** Returns whether the store carried out the request. Returns false once the queues have been stopped. */
  async function isDone(what: string, ask: () => Promise<unknown>): Promise<boolean> {
    if (stopped) return false
    try {
      await answerWithin(clock, answerMs, what, ask())
      return true
    } catch (error) {
      onFault(what, faultName(error))
      return false
    }
  }

  async function ofEach<Found>(count: (queue: StoredQueue) => Promise<Found>): Promise<Record<QueueName, Found>> {
    const counting = queueNames.map(async (name) => [name, await count(byName[name])] as const)
    const counted = await answerWithin(clock, answerMs, 'count the jobs', Promise.all(counting))
    return Object.fromEntries(counted) as Record<QueueName, Found>
  }

  /**
   * Returns the number of waiting and running jobs per queue; failed jobs do not count.
   * @throws QueueUnreachableError, or what the store throws
   */
  const counts = () => ofEach((queue) => queue.getJobCountByTypes('waiting', 'active', 'delayed', 'prioritized'))

  async function stop(deadlineMs: number): Promise<{ unfinished: number }> {
    const result = await stopWorkers([...workers.values()], running, deadlineMs, clock)
    await end()
    return result
  }

  return {
    counts,
    /**
     * Adds one job, due `delayMs` from now. A job that is added twice runs twice. Waits at most 2 s; resolves to false
     * if the queue did not answer, in which case the job may still run.
     * @throws BadPayloadError, and nothing else
     */
    async enqueue<Name extends QueueName>(
      name: Name,
      payload: Payload<Name>,
      { delayMs = 0 }: { delayMs?: number } = {},
    ): Promise<boolean> {
      const parsed = parsePayload(name, payload)
      const jobId = freshJobId(name, parsed, random())
      return isDone(`add a job to ${name}`, () => byName[name].add(name, parsed, { jobId, delay: delayMs }))
    },
    /**
     * Starts running the queue's jobs in this process. May be called once per queue. `concurrency` replaces the queue's
     * own, and is called again after each job.
     * @throws QueueUnreachableError
     */
    async work<Name extends QueueName>(
      name: Name,
      processor: Processor<Name>,
      options?: { concurrency?: () => number },
    ): Promise<void> {
      if (stopped || workers.has(name))
        throw new Error(`No worker was started for queue ${name}: it has one, or the queues were stopped.`)
      const tools = { store, clock, onFault, stopping, running }
      const worker = startQueueWorker(name, processor, options?.concurrency, tools)
      workers.set(name, worker)
      try {
        await openWithin(clock, `work on ${name}`, worker.waitUntilReady())
      } catch (error) {
        // On PostgreSQL BullMQ remembers a failed start forever, so this worker would never run.
        workers.delete(name)
        worker.close().catch((closeError) => onFault(`worker ${name}`, faultName(closeError)))
        throw error
      }
    },
    /**
     * Deletes every job of every queue, for operators and tests. Workers keep running.
     * @throws what the store throws
     */
    async empty(): Promise<void> {
      for (const name of queueNames) await emptyQueue(byName[name])
    },
    /**
     * True after the store lost every job (it is new, was emptied, or restarted without its data), until
     * `noteRestored`. False if the store does not answer within 2 s, and always in PostgreSQL.
     */
    async isNew(): Promise<boolean> {
      let isNew = false
      await isDone('queues new', async () => {
        isNew = await store.isNew()
      })
      return isNew
    },
    /** Notes that everything due will be queued again. If the store does not answer within 2 s, it stays new. */
    async noteRestored(): Promise<void> {
      await isDone('queues new', () => store.noteRestored())
    },
    /**
     * Returns the id of the store, which is kept in Redis; a new or emptied store gets another id. Null without Redis,
     * and if Redis did not answer within 2 s.
     */
    async storeId(): Promise<string | null> {
      if (stopped) return null
      return answerWithin(clock, answerMs, 'read its id', store.id()).catch(() => null)
    },
    /** Returns whether the store answers within 2 s and accepts writes, and every worker started here still runs. */
    async healthy(): Promise<boolean> {
      if (stopped || [...workers.values()].some((worker) => !worker.isRunning())) return false
      return answerWithin(clock, answerMs, 'write', Promise.all([store.write(), counts()])).then(
        () => true,
        () => false,
      )
    },
    /**
     * Returns the number of jobs of each queue by state; failed jobs are kept for inspection and not tried again.
     * @throws QueueUnreachableError, or what the store throws
     */
    depths: (): Promise<Record<QueueName, QueueDepth>> =>
      ofEach(async (queue) => {
        const found = await queue.getJobCounts('waiting', 'prioritized', 'active', 'delayed', 'failed')
        const { waiting = 0, prioritized = 0, active = 0, delayed = 0, failed = 0 } = found
        return { waiting: waiting + prioritized, active, delayed, failed }
      }),
    /** Returns the queues that this process runs, each with its worker's counts. Makes no request. */
    working: (): WorkingQueue[] =>
      [...workers].map(([name, worker]) => ({
        name,
        isRequesting: worker.isRunning(),
        startedCount: running.startedCount(name),
        unfinishedCount: running.unfinishedCount(name),
      })),
    /**
     * Stops taking jobs, waits `deadlineMs` for the running ones, then aborts their signals, abandons those that do not
     * end, and ends every connection, within seven more seconds. `unfinished` jobs were abandoned and are run again
     * once their locks expire; BullMQ's timers for them may keep the process alive, so exit it. May be called
     * repeatedly.
     */
    stop(deadlineMs: number): Promise<{ unfinished: number }> {
      stopped ??= stop(deadlineMs)
      return stopped
    },
  }
}
