// Describes where a worker runs, and why another worker cannot start meanwhile. Pure.

import type { RegisteredWorker } from '#src/ledger/workers/worker-registration.ts'
import { minuteOf } from '#src/platform/time/duration.ts'

/** Returns, for example, `host registrar-1, process 4711, since 2026-11-21 02:00 UTC`. */
export function workerLocation({ host, pid, startedAt }: Pick<RegisteredWorker, 'host' | 'pid' | 'startedAt'>): string {
  return `host ${host}, process ${pid}, since ${minuteOf(startedAt)} UTC`
}

/**
 * Explains why a worker cannot start while another one runs.
 * @param other null if it has stopped in the meantime, or is a short-lived command
 * @param exclusive true if the worker that should start has no Redis
 */
export function otherWorkerSentence(other: RegisteredWorker | null, exclusive: boolean): string {
  const where = other ? ` (${workerLocation(other)})` : ''
  if (!exclusive)
    return `A worker without Redis already runs on this ledger${where}, and it must be the only one, because it does not share the limits of the service and would treat the calls of other workers as lost. Stop it, and set the same REDIS_URL for every worker.`
  if (other?.shares)
    return `A worker with Redis already runs on this ledger${where}, and one without Redis would not share the limits of the service and would treat the calls of the other worker as lost. Set the same REDIS_URL for this worker, or stop every worker that has one.`
  return `Another worker already runs on this ledger${where}, and without Redis there may be only one, because two workers would not share the limits of the service. Stop the other one, or set the same REDIS_URL for both.`
}
