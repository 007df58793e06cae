// How long somebody waits for a source: for one answer, and for all of them together.

import type { Clock } from '#src/time/clock.ts'
import { formatDuration } from '#src/time/duration.ts'
import type { Refuse } from './source-error.ts'
import type { SourceLimits } from './source-limits.ts'

/** Waits for `answer`. Throws SourceError (`limit`) when it does not come in time, and what the answer throws. */
export type Wait = <T>(answer: Promise<T>) => Promise<T>

/**
 * Only time that is spent waiting counts: a slow database is not the file's fault. `give up` is called before the error
 * is thrown.
 */
export function openPatience(clock: Clock, limits: SourceLimits, refuse: Refuse, giveUp: () => Promise<void>): Wait {
  let leftMs = limits.readingMs
  return async (answer) => {
    const began = clock.monotonicMs()
    const stop = new AbortController()
    const over = () => ({ over: true }) as const
    const late = clock.sleep(Math.min(limits.stallMs, leftMs), stop.signal).then(over, over)
    try {
      const first = await Promise.race([answer.then((value) => ({ over: false, value }) as const), late])
      if (!first.over) return first.value
      await giveUp()
      throw refuse('limit', leftMs <= limits.stallMs ? tooLong(limits) : stalled(limits))
    } finally {
      leftMs = Math.max(0, leftMs - (clock.monotonicMs() - began))
      stop.abort()
    }
  }
}

function stalled(limits: SourceLimits): string {
  return `The file gave nothing for ${formatDuration(limits.stallMs)}, the limit. Delete empty rows and columns, and send it in parts; a workbook is read faster as CSV.`
}

function tooLong(limits: SourceLimits): string {
  return `Reading the file took longer than ${formatDuration(limits.readingMs)}, the limit. Send it in parts.`
}
