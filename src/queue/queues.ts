// What may be asked of each queue: its name, the ids its jobs carry, and how its jobs are run.

import { z } from 'zod'

// Jobs are stored in clear and shown by dashboards, so a payload can only be an id. The shape keeps out addresses and names
// with spaces; it also keeps out ':' which BullMQ reserves in job ids.
const Id = z.string().regex(/^[A-Za-z0-9_-]{1,100}$/, 'must be an id: letters, digits, - and _')

const dayInSeconds = 86_400

interface QueueOptions {
  /** Jobs at a time in one process. */
  concurrency: number
  /** Runs that may end in `retry` before the job is given up; the ledger still knows the work. */
  attempts: number
  /** Milliseconds a run may be silent (process dead, event loop blocked) before another worker takes the job. */
  lockDuration: number
  /** Lost locks a job survives. BullMQ's default of 1 fails a job at its second killed worker, whatever `attempts` says. */
  maxStalledCount: number
  removeOnComplete: true
  /** `age` in seconds. For a look at recent failures only; the record is the ledger. */
  removeOnFail: { age: number; count: number }
}

const usual = {
  lockDuration: 60_000,
  maxStalledCount: 10,
  removeOnComplete: true,
  removeOnFail: { age: 7 * dayInSeconds, count: 1_000 },
} as const

/** Every queue there is. Adding one here without a processor does not compile where `Record<QueueName, …>` is asked for. */
export const queues = {
  // The looks into inboxes. One at a time: each is short, but for the hashing of what it takes.
  collect: { payload: z.strictObject({ pipeline: Id }), options: { ...usual, concurrency: 1, attempts: 2 } },
  intake: { payload: z.strictObject({ runId: Id }), options: { ...usual, concurrency: 1, attempts: 5 } },
  // Sending may take two minutes by its own deadline; five minutes of lock keep a second worker away from a slow send.
  issue: {
    payload: z.strictObject({ attemptId: Id }),
    options: { ...usual, concurrency: 4, attempts: 5, lockDuration: 300_000 },
  },
  // A queue of its own, so that looking never starves behind sending.
  reconcile: { payload: z.strictObject({ environment: Id }), options: { ...usual, concurrency: 2, attempts: 3 } },
  'write-back': { payload: z.strictObject({ runId: Id }), options: { ...usual, concurrency: 2, attempts: 8 } },
  // Learning systems: what they delivered is judged, they are asked, told what became of their learners, or looked back at, and what was
  // refused of theirs is compared with new rules. One queue for the five, since each queue costs a process six connections.
  learning: {
    payload: z.union([
      z.strictObject({ judge: Id }),
      z.strictObject({ ask: Id }),
      z.strictObject({ tell: Id }),
      z.strictObject({ look: Id }),
      z.strictObject({ compare: Id }),
    ]),
    options: { ...usual, concurrency: 4, attempts: 5 },
  },
  // The certificates of a pipeline. One at a time: the limit of the download is the same for all, and each fetches several at once.
  archive: { payload: z.strictObject({ pipeline: Id }), options: { ...usual, concurrency: 1, attempts: 2 } },
  // A nudge, so that work starts at once; the sweeper's own timer comes by anyway, so it is not worth many tries.
  sweep: { payload: z.strictObject({}), options: { ...usual, concurrency: 1, attempts: 2 } },
} as const satisfies Record<string, { payload: z.ZodType; options: QueueOptions }>

export type QueueName = keyof typeof queues

export const queueNames = Object.keys(queues) as QueueName[]

/** What a job of the queue carries, for example `{ attemptId }`. */
export type Payload<Name extends QueueName> = z.infer<(typeof queues)[Name]['payload']>
