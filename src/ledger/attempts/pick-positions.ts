// Remembers how far the due rows of each pipeline have been picked, in index order. A picked row leaves a dead index
// entry until PostgreSQL removes it. In a list of a million rows, each search from the first entry would read all of
// the dead ones. The positions are kept in memory; without one, a search starts at the first row.

/**
 * After this many picks, the next one starts at the first row, to find rows that were locked or were committed late.
 * The same applies to one in this many searches that find nothing.
 */
const startOverAfter = 20

/** The last row of a pick such that it and all rows before it were put into a batch or postponed. */
export interface PickPosition {
  /** When the row was due, as text with microseconds. */
  dueAt: string
  id: number
}

export interface Pick {
  /** Null to start at the first row. */
  from: PickPosition | null
  /** Records how far the pick got, once it is committed. Does nothing if a position was forgotten in the meantime. */
  end(position: PickPosition): void
}

export type PickPositions = ReturnType<typeof openPickPositions>

export function openPickPositions() {
  const positions = new Map<string, PickPosition & { picks: number; emptySearches: number }>()
  let forgotten = 0
  const forget = (pipeline: string) => {
    positions.delete(pipeline)
    forgotten++
  }
  return {
    all: (): ReadonlyMap<string, PickPosition> => positions,
    begin(pipeline: string): Pick {
      const position = positions.get(pipeline)
      const startsOver = !position || position.picks === startOverAfter
      const picks = startsOver ? 0 : position.picks + 1
      const forgottenBefore = forgotten
      return {
        from: startsOver ? null : position,
        end({ dueAt, id }) {
          if (forgotten === forgottenBefore) positions.set(pipeline, { dueAt, id, picks, emptySearches: 0 })
        },
      }
    },
    forget,
    /**
     * Counts a search that started at the positions.
     * @param found the pipelines in which it found a due row
     * @returns which of the other pipelines to search now from the first row
     */
    toSearchFromFirst(found: readonly string[]): string[] {
      const empty = [...positions].filter(([pipeline]) => !found.includes(pipeline))
      return empty.flatMap(([pipeline, position]) =>
        position.emptySearches++ % startOverAfter === 0 ? [pipeline] : [],
      )
    },
  }
}
