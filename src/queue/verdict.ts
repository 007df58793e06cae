// What a job says about its own run. settle.ts is the one place that tells BullMQ.

/** `why` is a short code of ours, such as `course-not-approved`; `ms` are milliseconds from now. */
export type Verdict =
  | { kind: 'done' }
  | { kind: 'snooze'; ms: number; why: string }
  | { kind: 'hold'; ms: number; why: string }
  | { kind: 'retry'; error: unknown }
  | { kind: 'reject'; why: string }

/** Finished, or it already was. */
export const done = (): Verdict => ({ kind: 'done' })

/** Not yet, and nobody's fault: this job comes back in `ms`. Not counted as an attempt. */
export const snooze = (ms: number, why: string): Verdict => ({ kind: 'snooze', ms, why })

/** The service says slow down: the whole queue rests for `ms`, in every process; then this job comes back. Not counted. */
export const hold = (ms: number, why: string): Verdict => ({ kind: 'hold', ms, why })

/** A fault that may pass: tried again after a growing wait, until the queue's attempts are used up. */
export const retry = (error: unknown): Verdict => ({ kind: 'retry', error })

/** Will never work, and the ledger already knows: ends the job. */
export const reject = (why: string): Verdict => ({ kind: 'reject', why })
