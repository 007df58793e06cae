// Where a worker runs, in words. Pure.

import type { ShownWorker } from '#src/ledger/shown-worker.ts'
import { minuteOf } from '#src/time/minute.ts'

/** `host registrar-1, process 4711, since 2026-11-21 02:00 UTC` */
export function whereabouts({ host, pid, startedAt }: Pick<ShownWorker, 'host' | 'pid' | 'startedAt'>): string {
  return `host ${host}, process ${pid}, since ${minuteOf(startedAt)} UTC`
}

/**
 * Why a worker cannot begin beside the one that runs.
 * @param other null where it has ended meanwhile, or is a short command
 * @param exclusive whether the one that would begin has no Redis
 */
export function besideWords(other: ShownWorker | null, exclusive: boolean): string {
  const where = other ? ` (${whereabouts(other)})` : ''
  if (!exclusive)
    return `A worker without Redis runs on this ledger already${where}, and beside it there may be no other, since it keeps the limits of the service for itself and takes the calls of others for lost. Stop it, and set the same REDIS_URL for every worker.`
  if (other?.shares)
    return `A worker with Redis runs on this ledger already${where}, and one without it would keep the limits of the service for itself and take the calls of the other for lost. Set the same REDIS_URL here as there, or stop every worker that has one.`
  return `Another worker runs on this ledger already${where}, and without Redis there may be one only, since each would keep the limits of the service for itself. Stop the other one, or set the same REDIS_URL for both.`
}
