// A BullMQ worker around one processor: parses the payload, runs it with a signal, and settles its verdict.

import type { Job } from 'bullmq'
import { faultName } from '#src/log/fault-name.ts'
import type { Clock } from '#src/time/clock.ts'
import { BadPayloadError } from './bad-payload-error.ts'
import { parsePayload } from './payload.ts'
import { type Payload, type QueueName, queues } from './queues.ts'
import type { RunningJobs } from './running-jobs.ts'
import { settle } from './settle.ts'
import type { OnFault, Store, StoredWorker } from './store.ts'
import { reject, retry, snooze, type Verdict } from './verdict.ts'

/**
 * Does one job. The signal is aborted when the job's lock is lost or the process may wait no longer: look at it before
 * anything that must not happen twice. What a processor throws counts as `retry`, unless its signal was aborted.
 */
export type Processor<Name extends QueueName> = (
  payload: Payload<Name>,
  context: { signal: AbortSignal },
) => Promise<Verdict>

export interface WorkerTools {
  store: Store
  running: RunningJobs
  clock: Clock
  onFault: OnFault
  stopping: () => boolean
}

/** Starts taking jobs of the queue. */
export function startWorker<Name extends QueueName>(
  name: Name,
  processor: Processor<Name>,
  concurrency: number | undefined,
  tools: WorkerTools,
): StoredWorker {
  const options = queues[name].options
  const run = async (job: Job, token = '') => {
    const verdict = await judge(name, processor, job, tools)
    return settle(verdict, { job, token, clock: tools.clock, restQueue: (ms) => worker.rateLimit(ms) })
  }
  const worker: StoredWorker = tools.store.openWorker(name, run, {
    concurrency: concurrency ?? options.concurrency,
    lockDuration: options.lockDuration,
    maxStalledCount: options.maxStalledCount,
    // `hold` needs a limiter to be set, of any size. The limits themselves are kept by the gates in front of each call,
    // so this one is out of reach.
    limiter: { max: 1_000_000, duration: 1_000 },
  })
  // A worker without an 'error' listener ends the process at the first lost connection.
  worker.on('error', (error) => tools.onFault(`worker ${name}`, faultName(error)))
  worker.on('lockRenewalFailed', (jobIds) => {
    for (const jobId of jobIds) tools.running.loseLock(jobId)
  })
  return worker
}

async function judge<Name extends QueueName>(
  name: Name,
  processor: Processor<Name>,
  job: Job,
  { running, onFault, stopping }: WorkerTools,
): Promise<Verdict> {
  // A worker told to pause still gets the job it was just fetching. It goes back for another process.
  if (stopping()) return snooze(0, 'stopping')
  const { signal, end } = running.start(job.id ?? '', name)
  try {
    const payload = parsePayload(name, job.data)
    return await processor(payload, { signal })
  } catch (error) {
    if (signal.aborted) return snooze(0, 'interrupted')
    onFault(`job ${name}`, faultName(error))
    return error instanceof BadPayloadError ? reject('bad-payload') : retry(error)
  } finally {
    end()
  }
}
