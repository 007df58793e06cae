// Translates a job's verdict into the return value or error that BullMQ expects, without anything that BullMQ must not
// store. No other file does this.

import { DelayedError, type Job, UnrecoverableError } from 'bullmq'
import { faultName } from '#src/platform/log/fault-name.ts'
import type { Clock } from '#src/platform/time/clock.ts'
import type { Verdict } from './verdict.ts'

/** The parts of a job's run that settling needs. */
export interface JobRun {
  job: Pick<Job, 'moveToDelayed'>
  /** The worker's proof that it holds the job's lock. */
  token: string
  clock: Clock
}

/**
 * Returns for `done`; for every other verdict, throws the error that BullMQ expects. These errors must not be caught
 * and wrapped: BullMQ recognizes them by their names.
 * @throws DelayedError, UnrecoverableError (message: our code), JobFaultError (message: class and code)
 */
export async function settle(verdict: Verdict, run: JobRun): Promise<void> {
  switch (verdict.kind) {
    case 'done':
      return
    case 'snooze':
      // DelayedError by itself moves nothing; it only reports that the job was moved.
      await asJobFault(run.job.moveToDelayed(run.clock.now().getTime() + verdict.ms, run.token))
      throw new DelayedError()
    case 'retry':
      throw new JobFaultError(verdict.error)
    case 'reject':
      throw withoutStack(new UnrecoverableError(faultCode(verdict.why)))
  }
}

async function asJobFault(answer: Promise<void>): Promise<void> {
  try {
    await answer
  } catch (error) {
    throw new JobFaultError(error)
  }
}

function withoutStack(error: Error): Error {
  error.stack = error.message
  return error
}

/**
 * Returns a reason that has the form of our codes (`course-not-approved`), and `unspecified` for any other text,
 * because a sentence could contain personal data.
 */
function faultCode(why: string): string {
  return /^[a-z][a-z0-9_-]{0,60}$/.test(why) ? why : 'unspecified'
}

/**
 * A failed run of a job, reduced to the class and the upper-case code of its error. BullMQ stores an error's message
 * and stack unencrypted, and dashboards show them, while the message of a library's error may contain a recipient or a
 * token. The original error's name is replaced too: BullMQ treats an error *named* DelayedError as a report that the
 * job was moved, which has not happened.
 */
export class JobFaultError extends Error {
  override readonly name = 'JobFaultError'

  constructor(cause: unknown) {
    super(faultName(cause))
    this.stack = this.message
  }
}
