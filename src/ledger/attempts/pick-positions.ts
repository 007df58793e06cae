// How far the due rows of each pipeline have been picked, in the order of their index. A row that was picked leaves a
// dead entry there until PostgreSQL removes it: in a list of a million, whoever began at the first entry would pass
// all of them for each batch. Kept in memory; without a position rows are searched for from the first one.

/**
 * After so many picks the next one begins at the first row, and so does one of so many searches that find nothing:
 * there may be rows that were locked, or committed late.
 */
const startOverAfter = 20

/** The last row up to which every row that a pick saw was put into a batch, or made to wait. */
export interface PickPosition {
  /** When it was due, as exact text. */
  dueAt: string
  id: number
}

export interface Pick {
  /** Null: at the first row. */
  from: PickPosition | null
  /** Notes how far the pick has come, once it is committed. Does nothing if the position was forgotten meanwhile. */
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
     * Counts a search after the positions.
     * @param found the pipelines in which it found a due row
     * @returns those of the others in which to search from the first row now
     */
    toSearchFromFirst(found: readonly string[]): string[] {
      const empty = [...positions].filter(([pipeline]) => !found.includes(pipeline))
      return empty.flatMap(([pipeline, position]) =>
        position.emptySearches++ % startOverAfter === 0 ? [pipeline] : [],
      )
    },
  }
}
