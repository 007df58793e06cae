// Limits how long reading a source may take: for each reply of the reading thread, and for all replies together.

import type { Clock } from '#src/platform/time/clock.ts'
import { formatDuration } from '#src/platform/time/duration.ts'
import type { SourceLimits, TableReading } from '../source-limits.ts'

/** Waits for `answer`. Throws SourceError (`limit`) if it does not arrive in time, and rethrows its errors. */
export type Wait = <T>(answer: Promise<T>) => Promise<T>

/**
 * Counts only the time spent waiting, because a slow database is not the file's fault. `giveUp` is called before the
 * error is thrown.
 */
export function openTimeLimit(clock: Clock, { limits, refuse }: TableReading, giveUp: () => Promise<void>): Wait {
  let leftMs = limits.readingMs
  return async (answer) => {
    const startedAtMs = clock.monotonicMs()
    const stop = new AbortController()
    const over = () => ({ over: true }) as const
    const timeout = clock.sleep(Math.min(limits.stallMs, leftMs), stop.signal).then(over, over)
    try {
      const first = await Promise.race([answer.then((value) => ({ over: false, value }) as const), timeout])
      if (!first.over) return first.value
      await giveUp()
      throw refuse('limit', leftMs <= limits.stallMs ? tooLong(limits) : stalled(limits))
    } finally {
      leftMs = Math.max(0, leftMs - (clock.monotonicMs() - startedAtMs))
      stop.abort()
    }
  }
}

function stalled(limits: SourceLimits): string {
  return `Reading the file produced no rows for ${formatDuration(limits.stallMs)}, which is the limit. Delete empty rows and columns, and split the file into smaller ones; a workbook is faster to read if it is saved as CSV.`
}

function tooLong(limits: SourceLimits): string {
  return `Reading the file took longer than the limit of ${formatDuration(limits.readingMs)}. Split it into smaller files.`
}
