// Runs a BullMQ worker around one processor: validates the payload, calls the processor with a signal, and settles its
// verdict.

import type { Job } from 'bullmq'
import { faultName } from '#src/platform/log/fault-name.ts'
import type { Clock } from '#src/platform/time/clock.ts'
import { BadPayloadError, parsePayload } from './payload.ts'
import { type Payload, type QueueName, queues } from './queues.ts'
import type { RunningJobs } from './running-jobs.ts'
import { settle } from './settle-verdict.ts'
import type { OnFault, Store, StoredWorker } from './store.ts'
import { reject, retry, snooze, type Verdict } from './verdict.ts'

/**
 * Runs one job. The signal is aborted if the job's lock is lost or the process cannot wait any longer: check it before
 * anything that must not happen twice. An error counts as `retry`, unless the signal was aborted.
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

/** Starts taking jobs from the queue. */
export function startQueueWorker<Name extends QueueName>(
  name: Name,
  processor: Processor<Name>,
  concurrency: (() => number) | undefined,
  tools: WorkerTools,
): StoredWorker {
  const options = queues[name].options
  const run = async (job: Job, token = '') => {
    const verdict = await runProcessor(name, processor, job, tools)
    if (concurrency) worker.concurrency = concurrency()
    return settle(verdict, { job, token, clock: tools.clock })
  }
  const worker: StoredWorker = tools.store.openWorker(name, run, {
    concurrency: concurrency?.() ?? options.concurrency,
    lockDuration: options.lockDuration,
    maxStalledCount: options.maxStalledCount,
  })
  waitAfterRefusals(worker, tools)
  // A worker without an 'error' listener ends the process at the first lost connection.
  worker.on('error', (error) => tools.onFault(`worker ${name}`, faultName(error)))
  worker.on('lockRenewalFailed', (jobIds) => {
    for (const jobId of jobIds) tools.running.abortAfterLostLock(jobId)
  })
  return worker
}

/** How long a worker waits after the store has refused its request for a job, in milliseconds. */
const refusedMs = 1_000

/**
 * BullMQ waits only if there is no connection. After any other error, such as a missing right, it requests a job again
 * at once: 8,500 times a second (measured).
 */
function waitAfterRefusals(worker: StoredWorker, { clock, stopping }: WorkerTools): void {
  const backend = worker.getBackend()
  const request = backend.moveToActive.bind(backend)
  backend.moveToActive = async (...args) => {
    try {
      return await request(...args)
    } catch (error) {
      if (!stopping()) await clock.sleep(refusedMs)
      throw error
    }
  }
}

async function runProcessor<Name extends QueueName>(
  name: Name,
  processor: Processor<Name>,
  job: Job,
  { running, onFault, stopping }: WorkerTools,
): Promise<Verdict> {
  // A paused worker still receives the job that it was just fetching. The job is put back for another process.
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
