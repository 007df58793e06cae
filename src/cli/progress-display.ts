// Shows the progress of a run: a bar on a terminal, otherwise a plain line every few seconds.

import { countIn, restingStates, type StateCounts, totalOf } from '#src/domain/credential/state.ts'
import { countOf } from '#src/issuing/results/run-summary.ts'
import type { Clock } from '#src/platform/time/clock.ts'

export interface ProgressPicture {
  phase: 'reading' | 'working'
  readRows: number
  states: StateCounts
  /** What keeps the run waiting, one line each. */
  waits: readonly string[]
}

export type ProgressDisplay = ReturnType<typeof openProgressDisplay>

const barWidth = 24
const plainEveryMs = 5_000

export function openProgressDisplay(
  stream: NodeJS.WritableStream & { isTTY?: boolean; columns?: number },
  clock: Clock,
) {
  let shownAt = Number.NEGATIVE_INFINITY
  let shownLine = ''
  let latestLine = ''
  let shownWaits = ''
  return {
    show(picture: ProgressPicture): void {
      const { waits } = picture
      if (picture.phase === 'reading' && picture.readRows === 0 && waits.length === 0) return
      // A terminal's line is short, so the reasons for waiting are printed above it once, in full.
      if (stream.isTTY && waits.join() !== shownWaits) {
        shownWaits = waits.join()
        for (const wait of waits) stream.write(`\r\x1b[2Kwaits: ${wait}\n`)
      }
      const line = progressLine(picture)
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
    /** Clears the bar on a terminal; otherwise prints the last state if it has not been printed yet. */
    end(): void {
      if (stream.isTTY && shownLine) stream.write('\r\x1b[2K')
      if (!stream.isTTY && latestLine !== shownLine) stream.write(`${latestLine}\n`)
    },
  }
}

/** Pure. */
export function progressLine(picture: ProgressPicture): string {
  const waits = picture.waits.length > 0 ? `; waits: ${picture.waits.join('; ')}` : ''
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
  ]
  return parts.join(', ').replace('], ', '] ') + waits
}
