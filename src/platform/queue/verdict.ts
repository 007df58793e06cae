// Defines the verdict with which a job reports the result of its run. Only settle-verdict.ts translates it for BullMQ.
// Pure.

/** `why` is one of our short codes, such as `course-not-approved`; `ms` is milliseconds from now. */
export type Verdict =
  | { kind: 'done' }
  | { kind: 'snooze'; ms: number; why: string }
  | { kind: 'retry'; error: unknown }
  | { kind: 'reject'; why: string }

/** The work is finished, by this run or an earlier one. */
export const done = (): Verdict => ({ kind: 'done' })

/** The work cannot be done yet, without a fault: the job is run again after `ms`. Does not count as an attempt. */
export const snooze = (ms: number, why: string): Verdict => ({ kind: 'snooze', ms, why })

/** A temporary fault: the job is run again after increasing delays, until the queue's attempts are used up. */
export const retry = (error: unknown): Verdict => ({ kind: 'retry', error })

/** The work can never succeed, which is already recorded in the ledger: ends the job. */
export const reject = (why: string): Verdict => ({ kind: 'reject', why })
