// A dispatcher that replaces the queues and does everything a queue may do wrong: it delivers jobs twice, three times,
// in reverse order, all at the same time, late, to a worker that is stopping, after everything is over, or never.

import type { Processors } from '#jobs/processors.ts'
import { parsePayload } from '#src/platform/queue/payload.ts'
import { type Payload, type QueueName, queues } from '#src/platform/queue/queues.ts'
import type { Verdict } from '#src/platform/queue/verdict.ts'
import type { Dice } from '#test/support/seeded-random.ts'

interface Job {
  name: QueueName
  payload: Payload<QueueName>
  /** The earliest round in which the job may be delivered. */
  turn: number
  tries: number
  /** Number of this copy of the job, from 0. */
  copy: number
}

export interface TortureCounts {
  /** Jobs that were requested. */
  requested: number
  delivered: number
  /** Deliveries of a second or third copy. */
  repeated: number
  deleted: number
  /** Runs that threw an error, which a queue would retry. */
  faults: number
}

const fates = [
  'once',
  'once',
  'twice',
  'three times',
  'late',
  'never',
  'to a stopping worker',
  'after the end',
] as const
/** About the concurrency of two processes: twice that of one, except for reading the report and for sending. */
const concurrency: Readonly<Record<QueueName, number>> = {
  collect: 2,
  intake: 2,
  issue: 4,
  reconcile: 3,
  'write-back': 4,
  archive: 2,
  learning: 8,
  sweep: 2,
}
const backlogDeletedShare = 0.03
const mostTries = 4

export class TorturingDispatcher {
  readonly counts: TortureCounts = { requested: 0, delivered: 0, repeated: 0, deleted: 0, faults: 0 }
  /** Error classes of the runs that threw. */
  readonly faults = new Set<string>()
  readonly #dice: Dice
  readonly #running = new Map<Promise<void>, QueueName>()
  #processors: Processors | null = null
  #backlog: Job[] = []
  #kept: Job[] = []
  #turn = 0

  constructor(dice: Dice) {
    this.#dice = dice
  }

  /** The jobs use the dispatcher and the dispatcher runs the jobs, so one of them is set later. */
  serve(processors: Processors): void {
    this.#processors = processors
  }

  /** Called by the jobs: decides what happens to the new job. */
  async enqueue<Name extends QueueName>(name: Name, payload: Payload<Name>): Promise<boolean> {
    this.counts.requested++
    const job = { name, payload: parsePayload(name, payload), turn: this.#turn, tries: 0, copy: 0 }
    const fate = this.#dice.pick(fates)
    if (fate === 'never') this.counts.deleted++
    else if (fate === 'after the end') this.#kept.push(job)
    else if (fate === 'late') this.#backlog.push({ ...job, turn: this.#turn + this.#dice.between(5, 30) })
    else if (fate === 'to a stopping worker') this.#start(job, AbortSignal.abort())
    else
      for (let copy = 0; copy < { once: 1, twice: 2, 'three times': 3 }[fate]; copy++)
        this.#backlog.push({ ...job, copy })
    // The queue may also have failed to confirm the job.
    return this.#dice.chance(0.9)
  }

  /**
   * One round: sometimes deletes the whole backlog; otherwise starts the due jobs in some order, without waiting for
   * running ones.
   */
  turn(): void {
    this.#turn++
    if (this.#dice.chance(backlogDeletedShare)) {
      this.counts.deleted += this.#backlog.length
      this.#backlog = []
    }
    const due = this.#backlog.filter((job) => job.turn <= this.#turn)
    this.#backlog = this.#backlog.filter((job) => job.turn > this.#turn)
    if (this.#dice.chance(0.5)) due.reverse()
    for (const job of due)
      if (this.#busyWith(job.name) < concurrency[job.name]) this.#start(job, new AbortController().signal)
      else this.#backlog.push(job)
  }

  /** Delivers all jobs that were kept until after the end, in reverse order, then waits for all running jobs. */
  async deliverKept(): Promise<void> {
    this.#backlog.push(...this.#kept.reverse().map((job) => ({ ...job, turn: 0 })))
    this.#kept = []
    while (this.#backlog.length > 0) {
      const batch = this.#backlog.splice(0, 4)
      for (const job of batch) this.#start({ ...job, tries: mostTries }, new AbortController().signal)
      await this.settle()
    }
  }

  /** Waits for running jobs. */
  async settle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running.keys())
  }

  #busyWith(name: QueueName): number {
    return [...this.#running.values()].filter((each) => each === name).length
  }

  #start(job: Job, signal: AbortSignal): void {
    const running: Promise<void> = this.#run(job, signal).finally(() => this.#running.delete(running))
    this.#running.set(running, job.name)
  }

  async #run(job: Job, signal: AbortSignal): Promise<void> {
    this.counts.delivered++
    if (job.copy > 0) this.counts.repeated++
    const process = this.#processors?.[job.name] as (
      payload: unknown,
      context: { signal: AbortSignal },
    ) => Promise<Verdict>
    try {
      const { kind } = await process(job.payload, { signal })
      if (kind === 'done' || kind === 'reject') return
    } catch (error) {
      this.counts.faults++
      this.faults.add(`${job.name}: ${error instanceof Error ? `${error.name} ${error.message}` : error}`)
    }
    if (job.tries < Math.min(mostTries, queues[job.name].options.attempts))
      this.#backlog.push({ ...job, tries: job.tries + 1, turn: this.#turn + this.#dice.between(1, 10) })
  }
}
