// Shows the progress of a run: a bar on a terminal, otherwise a plain line every few seconds.

import { countIn, restingStates, type StateCounts, totalOf } from '#src/domain/credential/state.ts'
import { countOf } from '#src/issuing/results/run-summary.ts'
import type { Clock } from '#src/platform/time/clock.ts'
import { formatDuration } from '#src/platform/time/duration.ts'

export interface ProgressPicture {
  phase: 'reading' | 'working'
  readRows: number
  states: StateCounts
  /**
   * Requests of this process in the last second, and the limit, either its own or shared with others; null if another
   * process does the work.
   */
  rate: { now: number; limit: number; shared: boolean } | null
  /** What keeps the run waiting, one line each. */
  waits?: readonly string[]
}

export interface ProgressDisplay {
  show(picture: ProgressPicture): void
  /** Clears the bar on a terminal; otherwise prints the last state if it has not been printed yet. */
  end(): void
}

const barWidth = 24
const plainEveryMs = 5_000

export function openProgressDisplay(
  stream: NodeJS.WritableStream & { isTTY?: boolean; columns?: number },
  clock: Clock,
): ProgressDisplay {
  const estimateLeftMs = openTimeEstimate(clock)
  let shownAt = Number.NEGATIVE_INFINITY
  let shownLine = ''
  let latestLine = ''
  let shownWaits = ''
  return {
    show(picture) {
      const { waits = [] } = picture
      if (picture.phase === 'reading' && picture.readRows === 0 && waits.length === 0) return
      // A terminal's line is short, so the reasons for waiting are printed above it once, in full.
      if (stream.isTTY && waits.join() !== shownWaits) {
        shownWaits = waits.join()
        for (const wait of waits) stream.write(`\r\x1b[2Kwaits: ${wait}\n`)
      }
      const line = progressLine(picture, estimateLeftMs(picture))
      latestLine = line
      if (line === shownLine) return
      if (stream.isTTY) {
        stream.write(`\r\x1b[2K${line.slice(0, (stream.columns ?? 80) - 1)}`)
      } else {
        if (clock.monotonicMs() - shownAt < plainEveryMs) return
        stream.write(`${line}\n`)
      }
      shownLine = line
      shownAt = clock.monotonicMs()
    },
    end() {
      if (stream.isTTY && shownLine) stream.write('\r\x1b[2K')
      if (!stream.isTTY && latestLine !== shownLine) stream.write(`${latestLine}\n`)
    },
  }
}

/** Pure. @param leftMs how long the rest may take; null if that is not known yet */
export function progressLine(picture: ProgressPicture, leftMs: number | null): string {
  const waits = picture.waits?.length ? `; waits: ${picture.waits.join('; ')}` : ''
  if (picture.phase === 'reading') return `reading: ${countOf(picture.readRows, 'row')}${waits}`
  const total = totalOf(picture.states)
  const final = countIn(picture.states, restingStates)
  const sent = total - picture.states.pending - picture.states.sending
  const filledWidth = total === 0 ? barWidth : Math.round((final / total) * barWidth)
  const parts = [
    `[${'#'.repeat(filledWidth)}${'-'.repeat(barWidth - filledWidth)}]`,
    `${countOf(picture.readRows, 'row')} read`,
    `${sent}/${total} sent`,
    `${final} final`,
    ...(picture.states.held > 0 ? [`${picture.states.held} held`] : []),
    ...(picture.rate && picture.rate.now > 0 ? [rateWords(picture.rate)] : []),
    ...(leftMs === null ? [] : [`about ${formatDuration(leftMs)} left`]),
  ]
  return parts.join(', ').replace('], ', '] ') + waits
}

/** If the limit is shared, this process does not know how much of it the other processes use. */
function rateWords({ now, limit, shared }: NonNullable<ProgressPicture['rate']>): string {
  return shared ? `${now} requests/s by this process (${limit} for all)` : `${now} of ${limit} requests/s`
}

/** Estimates the remaining time from the speed at which rows have settled since the first one did. */
function openTimeEstimate(clock: Clock) {
  let start: { at: number; final: number } | null = null
  return ({ phase, states }: ProgressPicture): number | null => {
    if (phase === 'reading') return null
    const final = countIn(states, restingStates)
    start ??= { at: clock.monotonicMs(), final }
    const [elapsedMs, settledCount] = [clock.monotonicMs() - start.at, final - start.final]
    const openCount = totalOf(states) - final
    return settledCount > 0 && openCount > 0 && elapsedMs > 1_000 ? (elapsedMs / settledCount) * openCount : null
  }
}
