// The one place that translates a verdict to BullMQ.

import { DelayedError, type Job, RateLimitError, UnrecoverableError } from 'bullmq'
import type { Clock } from '#src/time/clock.ts'
import { faultCode, JobFaultError } from './job-fault-error.ts'
import type { Verdict } from './verdict.ts'

/** The run a verdict is about, as little of it as settling needs. */
export interface Run {
  job: Pick<Job, 'moveToDelayed'>
  /** The worker's proof that it holds the job's lock. */
  token: string
  /** Rests the queue for that many milliseconds, in every process. */
  restQueue: (ms: number) => Promise<void>
  clock: Clock
}

/**
 * Returns for `done`; throws what BullMQ expects for all others. Nothing may catch and wrap what this throws: BullMQ knows a
 * rest of the queue by the exact message of RateLimitError, and a wrapped one becomes a failure.
 * @throws DelayedError, RateLimitError, UnrecoverableError (message: our code), JobFaultError (message: class and code)
 */
export async function settle(verdict: Verdict, run: Run): Promise<void> {
  switch (verdict.kind) {
    case 'done':
      return
    case 'snooze':
      // DelayedError by itself moves nothing, it only says that the move was made.
      await tell(run.job.moveToDelayed(run.clock.now().getTime() + verdict.ms, run.token))
      throw new DelayedError()
    case 'hold':
      await tell(run.restQueue(verdict.ms))
      throw new RateLimitError()
    case 'retry':
      throw new JobFaultError(verdict.error)
    case 'reject':
      throw withoutStack(new UnrecoverableError(faultCode(verdict.why)))
    default:
      // Unreachable for TypeScript. A job written without types must not count as a success by accident.
      throw new JobFaultError(verdict satisfies never)
  }
}

async function tell(answer: Promise<void>): Promise<void> {
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
