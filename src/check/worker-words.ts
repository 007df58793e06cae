// Where a worker runs, in words. Pure.

import type { ShownWorker } from '#src/ledger/shown-worker.ts'
import { minuteOf } from '#src/time/minute.ts'

/** `host registrar-1, process 4711, since 2026-11-21 02:00 UTC` */
export function whereabouts({ host, pid, startedAt }: Pick<ShownWorker, 'host' | 'pid' | 'startedAt'>): string {
  return `host ${host}, process ${pid}, since ${minuteOf(startedAt)} UTC`
}
