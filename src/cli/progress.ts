// How a run is getting on: a bar on a terminal, a plain line now and then elsewhere.

import { countIn, restingStates, type StateCounts, totalOf } from '#src/issuance/state.ts'
import type { Clock } from '#src/time/clock.ts'
import { formatDuration } from '#src/time/duration.ts'

export interface ProgressPicture {
  phase: 'reading' | 'working'
  readRows: number
  states: StateCounts
  /** Requests of this process in the last second, and how many are allowed, to it alone or to all that share; null when another process does the work. */
  rate: { now: number; limit: number; shared: boolean } | null
}

export interface Progress {
  show(picture: ProgressPicture): void
  /** Leaves a terminal on a fresh line, and elsewhere the last picture as a line. */
  end(): void
}

const barWidth = 24
const plainEveryMs = 5_000

export function openProgress(
  stream: NodeJS.WritableStream & { isTTY?: boolean; columns?: number },
  clock: Clock,
): Progress {
  const pace = openPace(clock)
  let shownAt = Number.NEGATIVE_INFINITY
  let shown = ''
  let latest = ''
  return {
    show(picture) {
      if (picture.phase === 'reading' && picture.readRows === 0) return
      const line = progressLine(picture, pace(picture))
      latest = line
      if (line === shown) return
      if (stream.isTTY) {
        stream.write(`\r\x1b[2K${line.slice(0, (stream.columns ?? 80) - 1)}`)
      } else {
        if (clock.monotonicMs() - shownAt < plainEveryMs) return
        stream.write(`${line}\n`)
      }
      shown = line
      shownAt = clock.monotonicMs()
    },
    end() {
      if (stream.isTTY && shown) stream.write('\r\x1b[2K')
      if (!stream.isTTY && latest !== shown) stream.write(`${latest}\n`)
    },
  }
}

/** Pure. @param leftMs how long the rest may take; null when that can't be told yet */
export function progressLine(picture: ProgressPicture, leftMs: number | null): string {
  if (picture.phase === 'reading') return `reading: ${picture.readRows} rows`
  const total = totalOf(picture.states)
  const final = countIn(picture.states, restingStates)
  const sent = total - picture.states.pending - picture.states.sending
  const filled = total === 0 ? barWidth : Math.round((final / total) * barWidth)
  const parts = [
    `[${'#'.repeat(filled)}${'-'.repeat(barWidth - filled)}]`,
    `${picture.readRows} rows read`,
    `${sent}/${total} sent`,
    `${final} final`,
    ...(picture.states.held > 0 ? [`${picture.states.held} held`] : []),
    ...(picture.rate && picture.rate.now > 0 ? [rateWords(picture.rate)] : []),
    ...(leftMs === null ? [] : [`about ${formatDuration(leftMs)} left`]),
  ]
  return parts.join(', ').replace('], ', '] ')
}

/** Where the allowance is shared, what the others use of it is not known here. */
function rateWords({ now, limit, shared }: NonNullable<ProgressPicture['rate']>): string {
  return shared ? `${now} requests/s by this process (${limit} for all)` : `${now} of ${limit} requests/s`
}

/** Estimates the rest from how fast rows have come to rest since the first of them did. */
function openPace(clock: Clock) {
  let start: { at: number; final: number } | null = null
  return ({ phase, states }: ProgressPicture): number | null => {
    if (phase === 'reading') return null
    const final = countIn(states, restingStates)
    start ??= { at: clock.monotonicMs(), final }
    const [gone, done] = [clock.monotonicMs() - start.at, final - start.final]
    const rest = totalOf(states) - final
    return done > 0 && rest > 0 && gone > 1_000 ? (gone / done) * rest : null
  }
}
