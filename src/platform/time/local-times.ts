// Finds when a time of day is due in a time zone whose clocks change. A *local* time is the time that clocks there
// show, expressed in milliseconds since 1970 as if it were UTC. Pure.

const dayMs = 86_400_000

/** A period in which the clocks do not change, beginning at `start`. */
interface Season {
  start: number
  offset: number
  /** The offset before `start`. */
  earlier: number
}

/**
 * Returns a function that finds the first due time after another one. If the clocks skip a local time, it is due later,
 * by as much as they go forward. A local time that occurs twice is due once, or twice with `repeats`.
 * @param nextLocal returns the first due local time after the given one
 */
export function openLocalTimes(timeZone: string, nextLocal: (after: number) => number, repeats: boolean) {
  const offsetAt = openOffsets(timeZone)

  function firstIn({ start, offset, earlier }: Season, after: number): number {
    const from = Math.max(after, start - 1)
    // The hours that clocks show a second time were already due before the clocks went back.
    const shown = repeats ? from + offset : Math.max(from + offset, start - 1 + earlier)
    const regular = nextLocal(shown) - offset
    if (offset <= earlier) return regular
    const skipped = nextLocal(from + earlier)
    return skipped < start + offset ? Math.min(regular, skipped - earlier) : regular
  }

  /** Returns the first instant after `from`, up to `to`, at which the clocks have changed. */
  function changeAfter(from: number, to: number, offset: number): number | null {
    for (let day = from; day < to; day += dayMs) {
      let [before, changed] = [day, Math.min(day + dayMs, to)]
      if (offsetAt(changed) === offset) continue
      while (changed - before > 1) {
        const middle = Math.floor((before + changed) / 2)
        if (offsetAt(middle) === offset) before = middle
        else changed = middle
      }
      return changed
    }
    return null
  }

  return (date: Date): Date => {
    const after = date.getTime()
    // A change of the clocks within the last day may have moved a due time to after `after`.
    const start = after - dayMs
    const offset = offsetAt(start)
    let season: Season = { start, offset, earlier: offset }
    for (;;) {
      const due = firstIn(season, after)
      const change = changeAfter(season.start, due, season.offset)
      if (change === null) return new Date(due)
      season = { start: change, offset: offsetAt(change), earlier: season.offset }
    }
  }
}

/** Returns how far the clocks of a time zone are ahead of UTC at an instant, in milliseconds. */
function openOffsets(timeZone: string): (at: number) => number {
  const format = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone, year: 'numeric', month: 'numeric', day: 'numeric' },
    ...{ hour: 'numeric', minute: 'numeric', second: 'numeric', hourCycle: 'h23' },
  })
  return (at) => {
    const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]))
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts
    return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at / 1_000) * 1_000
  }
}
