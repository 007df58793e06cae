// Defines each queue: its name, the ids in the payload of a job, how jobs are run, and how a job's own id is made.

import { z } from 'zod'

// Jobs are stored unencrypted and shown by dashboards, so a payload may contain only ids. The pattern excludes
// addresses and names with spaces, and also ':' which BullMQ reserves in job ids.
const Id = z.string().regex(/^[A-Za-z0-9_-]{1,100}$/, 'must be an id: letters, digits, - and _')

const dayInSeconds = 86_400

interface QueueOptions {
  /** Concurrent jobs in one process. */
  concurrency: number
  /** How many runs may end in `retry` before BullMQ gives up on the job. Its work remains in the ledger. */
  attempts: number
  /** How long a job's lock may go unrenewed (process dead, event loop blocked) before another worker takes the job. */
  lockDuration: number
  /**
   * How many times a job may lose its lock without failing. With BullMQ's default of 1, a job fails when its second
   * worker is killed, regardless of `attempts`.
   */
  maxStalledCount: number
  removeOnComplete: true
  /** `age` in seconds. Failed jobs are kept only for inspecting recent failures; the record is the ledger. */
  removeOnFail: { age: number; count: number }
}

const defaults = {
  lockDuration: 60_000,
  maxStalledCount: 10,
  removeOnComplete: true,
  removeOnFail: { age: 7 * dayInSeconds, count: 1_000 },
} as const

/**
 * Every queue. A queue that is added here needs a processor: every `Record<QueueName, …>` fails to compile without it.
 */
export const queues = {
  // Checks inboxes. One at a time: each check is short, except for hashing the files that it takes.
  collect: { payload: z.strictObject({ pipeline: Id }), options: { ...defaults, concurrency: 1, attempts: 2 } },
  intake: { payload: z.strictObject({ runId: Id }), options: { ...defaults, concurrency: 1, attempts: 5 } },
  // Sending has a deadline of up to two minutes; a lock of five minutes keeps a second worker away from a slow send.
  issue: {
    payload: z.strictObject({ attemptId: Id }),
    options: { ...defaults, concurrency: 4, attempts: 5, lockDuration: 300_000 },
  },
  // Reading the report has its own queue, so that it never starves behind sending. `follow` is for open rows; `watch`
  // is for issued rows and may take hours.
  reconcile: {
    payload: z.discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('follow'), environment: Id }),
      z.strictObject({ kind: z.literal('watch'), environment: Id }),
    ]),
    options: { ...defaults, concurrency: 2, attempts: 3 },
  },
  'write-back': { payload: z.strictObject({ runId: Id }), options: { ...defaults, concurrency: 2, attempts: 8 } },
  // All work for learning systems: processing their events, polling them, delivering outcomes, detecting drift, and
  // checking refused rows against new rules. All five share one queue, because each queue takes a connection and
  // polling in every process.
  learning: {
    payload: z.discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('process-events'), system: Id }),
      z.strictObject({ kind: z.literal('poll'), system: Id }),
      z.strictObject({ kind: z.literal('detect-drift'), system: Id }),
      z.strictObject({ kind: z.literal('deliver'), pipeline: Id }),
      z.strictObject({ kind: z.literal('retry-refused'), pipeline: Id }),
    ]),
    options: { ...defaults, concurrency: 4, attempts: 5 },
  },
  // Fetches the certificates of a pipeline. One job at a time: all jobs share the rate limit of downloads, and each job
  // fetches several certificates at the same time.
  archive: { payload: z.strictObject({ pipeline: Id }), options: { ...defaults, concurrency: 1, attempts: 2 } },
  // Queues new work immediately. The sweep's own timer would do so anyway, so this is not worth many attempts.
  sweep: { payload: z.strictObject({}), options: { ...defaults, concurrency: 1, attempts: 2 } },
} as const satisfies Record<string, { payload: z.ZodType; options: QueueOptions }>

export type QueueName = keyof typeof queues

export const queueNames = Object.keys(queues) as QueueName[]

/** The payload of the queue's jobs, for example `{ attemptId }`. */
export type Payload<Name extends QueueName> = z.infer<(typeof queues)[Name]['payload']>

/**
 * Returns `<queue>-<subject>-<random>`, a different id on every call even for one subject: adding an id that BullMQ
 * still remembers does nothing and looks like success, on both backends, so a recipient would be left out. The id is
 * never an integer and has no ':', both of which BullMQ refuses.
 * @param random text without ':' that differs on every call, such as a UUID
 */
export function freshJobId(name: QueueName, payload: object, random: string): string {
  const subject = Object.values(payload).join('-') || 'all'
  return `${name}-${subject}-${random}`
}
