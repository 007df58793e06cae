// The queues: asking for work, and doing it. A to-do list only; the ledger is the truth, and its sweeper asks again for
// whatever is lost here.

import { faultName } from '#src/log/fault-name.ts'
import type { Clock } from '#src/time/clock.ts'
import { answerWithin, QueueUnreachableError } from './answer-within.ts'
import { emptyQueue } from './empty-queue.ts'
import { freshJobId } from './job-id.ts'
import { keepTimetable, type Timed } from './keep-timetable.ts'
import { parsePayload } from './payload.ts'
import { type Payload, type QueueName, queueNames } from './queues.ts'
import { RunningJobs } from './running-jobs.ts'
import { type Processor, startWorker } from './start-worker.ts'
import { stopWorkers } from './stop-workers.ts'
import type { OnFault, Store, StoredQueue, StoredWorker } from './store.ts'
import { WorkRefusedError } from './work-refused-error.ts'

export interface Queues extends AsyncDisposable {
  /**
   * Asks for one run, `delayMs` from now. Asking twice runs twice. Waits at most 2 s; false when the queue did not answer,
   * and then the run may still happen.
   * @throws BadPayloadError, and nothing else
   */
  ask<Name extends QueueName>(name: Name, payload: Payload<Name>, options?: { delayMs?: number }): Promise<boolean>
  /**
   * Makes the queue ask by itself at these times, and at no others that it was told earlier. A hint: a store forgets it when it loses its
   * memory, so whoever counts on a time must look for himself. Waits at most 2 s; false when the queue did not answer.
   * @throws BadPayloadError, and nothing else
   */
  schedule<Name extends QueueName>(name: Name, timetable: readonly Timed<Name>[]): Promise<boolean>
  /**
   * Starts doing the queue's jobs in this process, once per queue.
   * @throws WorkRefusedError, QueueUnreachableError
   */
  work<Name extends QueueName>(
    name: Name,
    processor: Processor<Name>,
    options?: { concurrency?: number },
  ): Promise<void>
  /**
   * Deletes every job of every queue, for operators and tests. Workers keep working.
   * @throws what the store says when it can't
   */
  empty(): Promise<void>
  /**
   * True once after the store came to know nothing: it is new, was emptied, or started anew without what it had. Jobs asked for before are gone
   * then. False also when it does not answer within 2 s, and of a store that loses nothing by itself.
   */
  isNew(): Promise<boolean>
  /**
   * What tells the store from another one: with Redis an id that lies in it, and that a new or emptied one gets anew. Null without Redis, and when
   * it did not say within 2 s.
   */
  storeId(): Promise<string | null>
  /** Whether the store answers within 2 s and takes what is written, and every worker started here still works. */
  healthy(): Promise<boolean>
  /**
   * Jobs still to do or being done, per queue; failed ones are not counted.
   * @throws QueueUnreachableError, or what the store says
   */
  counts(): Promise<Record<QueueName, number>>
  /**
   * The jobs of each queue by what they wait for; failed ones are kept for a look, and not tried again.
   * @throws QueueUnreachableError, or what the store says
   */
  depths(): Promise<Record<QueueName, QueueDepth>>
  /** The queues that are worked on here, each with what its worker has done. Asks nobody. */
  working(): WorkingQueue[]
  /**
   * Takes no new job, waits `deadlineMs` for the running ones, then aborts their signals, leaves them and ends every
   * connection: at most the deadline and seven seconds. `unfinished` were left behind and run again once their locks
   * expire; BullMQ's timers for them may keep the process alive, so exit it. A second call gets the answer of the first.
   */
  stop(deadlineMs: number): Promise<{ unfinished: number }>
}

/** A caller waits this long at most; the ledger has committed, so nothing is lost by going on. */
export const answerMs = 2_000

/** For the connections of a worker. */
export const openMs = 10_000

/** `await using` waits this long for running jobs. */
const disposeMs = 10_000

export interface QueueDepth {
  /** For a worker. */
  waiting: number
  active: number
  /** For their time. */
  delayed: number
  failed: number
}

export interface WorkingQueue {
  name: QueueName
  /** Whether its worker still asks for jobs. */
  asking: boolean
  /** Jobs begun here so far, and those that have not ended. */
  begun: number
  underWay: number
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

/** Opened by openQueues. */
export class StoredQueues implements Queues {
  readonly #parts: Parts
  readonly #workers = new Map<QueueName, StoredWorker>()
  readonly #running = new RunningJobs()
  #stopped: Promise<{ unfinished: number }> | null = null

  constructor(parts: Parts) {
    this.#parts = parts
  }

  async ask<Name extends QueueName>(name: Name, payload: Payload<Name>, { delayMs = 0 } = {}): Promise<boolean> {
    const { byName, clock, random, onFault } = this.#parts
    const parsed = parsePayload(name, payload)
    if (this.#stopped) return false
    try {
      const jobId = freshJobId(name, parsed, random())
      await answerWithin(clock, answerMs, `ask ${name}`, byName[name].add(name, parsed, { jobId, delay: delayMs }))
      return true
    } catch (error) {
      onFault(`ask ${name}`, faultName(error))
      return false
    }
  }

  async schedule<Name extends QueueName>(name: Name, timetable: readonly Timed<Name>[]): Promise<boolean> {
    const { byName, clock, onFault } = this.#parts
    const parsed = timetable.map((timed) => ({ ...timed, payload: parsePayload(name, timed.payload) }))
    if (this.#stopped) return false
    try {
      await answerWithin(clock, answerMs, `schedule ${name}`, keepTimetable(byName[name], name, parsed))
      return true
    } catch (error) {
      onFault(`schedule ${name}`, faultName(error))
      return false
    }
  }

  async work<Name extends QueueName>(
    name: Name,
    processor: Processor<Name>,
    options?: { concurrency?: number },
  ): Promise<void> {
    if (this.#stopped) throw new WorkRefusedError(name, 'stopped')
    if (this.#workers.has(name)) throw new WorkRefusedError(name, 'worked already')
    const { store, clock, onFault } = this.#parts
    const stopping = () => this.#stopped !== null
    const tools = { store, clock, onFault, stopping, running: this.#running }
    const worker = startWorker(name, processor, options?.concurrency, tools)
    this.#workers.set(name, worker)
    try {
      await answerWithin(clock, openMs, `work on ${name}`, worker.waitUntilReady())
    } catch (error) {
      // On PostgreSQL BullMQ remembers a failed start for ever, so this worker would never work.
      this.#workers.delete(name)
      worker.close().catch((late) => onFault(`worker ${name}`, faultName(late)))
      throw error instanceof QueueUnreachableError
        ? error
        : new QueueUnreachableError(`work on ${name}`, faultName(error))
    }
  }

  async empty(): Promise<void> {
    for (const name of queueNames) await emptyQueue(this.#parts.byName[name])
  }

  async isNew(): Promise<boolean> {
    const { store, clock, onFault } = this.#parts
    if (this.#stopped) return false
    try {
      return await answerWithin(clock, answerMs, 'look whether the queues are new', store.isNew())
    } catch (error) {
      onFault('queues new', faultName(error))
      return false
    }
  }

  async storeId(): Promise<string | null> {
    const { store, clock } = this.#parts
    if (this.#stopped) return null
    return answerWithin(clock, answerMs, 'its id', store.id()).catch(() => null)
  }

  async healthy(): Promise<boolean> {
    if (this.#stopped || [...this.#workers.values()].some((worker) => !worker.isRunning())) return false
    const { store, clock } = this.#parts
    return answerWithin(clock, answerMs, 'write', Promise.all([store.write(), this.counts()])).then(
      () => true,
      () => false,
    )
  }

  async counts(): Promise<Record<QueueName, number>> {
    const { byName, clock } = this.#parts
    const countOne = async (name: QueueName) =>
      [name, await byName[name].getJobCountByTypes('waiting', 'active', 'delayed', 'prioritized')] as const
    const counted = await answerWithin(clock, answerMs, 'count the jobs', Promise.all(queueNames.map(countOne)))
    return Object.fromEntries(counted) as Record<QueueName, number>
  }

  async depths(): Promise<Record<QueueName, QueueDepth>> {
    const { byName, clock } = this.#parts
    const depthOf = async (name: QueueName) => {
      const found = await byName[name].getJobCounts('waiting', 'prioritized', 'active', 'delayed', 'failed')
      const { waiting = 0, prioritized = 0, active = 0, delayed = 0, failed = 0 } = found
      return [name, { waiting: waiting + prioritized, active, delayed, failed }] as const
    }
    const counted = await answerWithin(clock, answerMs, 'count the jobs', Promise.all(queueNames.map(depthOf)))
    return Object.fromEntries(counted) as Record<QueueName, QueueDepth>
  }

  working(): WorkingQueue[] {
    const running = this.#running
    return [...this.#workers].map(([name, worker]) => ({
      name,
      asking: worker.isRunning(),
      begun: running.begun(name),
      underWay: running.underWay(name),
    }))
  }

  stop(deadlineMs: number): Promise<{ unfinished: number }> {
    this.#stopped ??= this.#stop(deadlineMs)
    return this.#stopped
  }

  async #stop(deadlineMs: number): Promise<{ unfinished: number }> {
    const result = await stopWorkers([...this.#workers.values()], this.#running, deadlineMs, this.#parts.clock)
    await this.#parts.end()
    return result
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop(disposeMs)
  }
}
