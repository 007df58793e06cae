// Translates a job's verdict into the return or error that BullMQ expects. No other file does this.

import { DelayedError, type Job, RateLimitError, UnrecoverableError } from 'bullmq'
import type { Clock } from '#src/platform/time/clock.ts'
import { faultCode, JobFaultError } from './job-fault-error.ts'
import type { Verdict } from './verdict.ts'

/** The parts of a job's run that settling needs. */
export interface JobRun {
  job: Pick<Job, 'moveToDelayed'>
  /** The worker's proof that it holds the job's lock. */
  token: string
  /** Pauses the queue for that many milliseconds, in every process. */
  restQueue: (ms: number) => Promise<void>
  clock: Clock
}

/**
 * Returns for `done`; for every other verdict, throws the error that BullMQ expects. These errors must not be caught
 * and wrapped: BullMQ recognizes a pause of the queue by the exact message of RateLimitError, and a wrapped
 * RateLimitError counts as a failure.
 * @throws DelayedError, RateLimitError, UnrecoverableError (message: our code), JobFaultError (message: class and code)
 */
export async function settle(verdict: Verdict, run: JobRun): Promise<void> {
  switch (verdict.kind) {
    case 'done':
      return
    case 'snooze':
      // DelayedError by itself moves nothing; it only reports that the job was moved.
      await asJobFault(run.job.moveToDelayed(run.clock.now().getTime() + verdict.ms, run.token))
      throw new DelayedError()
    case 'hold':
      await asJobFault(run.restQueue(verdict.ms))
      throw new RateLimitError()
    case 'retry':
      throw new JobFaultError(verdict.error)
    case 'reject':
      throw withoutStack(new UnrecoverableError(faultCode(verdict.why)))
    default:
      // Unreachable in typed code. An invalid verdict from untyped code must not count as a success by accident.
      throw new JobFaultError(verdict satisfies never)
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
