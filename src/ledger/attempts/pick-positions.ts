// Remembers how far the due rows of each pipeline have been picked, in the order of their index. A picked row leaves a
// dead entry there until PostgreSQL removes it: in a list of a million rows, a search from the first entry would read
// all of the dead ones for each batch. Kept in memory; without a position, a search starts at the first row.

/**
 * After this many picks the next one starts at the first row, and so does one in this many searches that find nothing:
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
  /** Null to start at the first row. */
  from: PickPosition | null
  /** Records how far the pick has come, once it is committed, unless the position was forgotten in the meantime. */
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
     * @returns which of the other pipelines are now to be searched from the first row
     */
    toSearchFromFirst(found: readonly string[]): string[] {
      const empty = [...positions].filter(([pipeline]) => !found.includes(pipeline))
      return empty.flatMap(([pipeline, position]) =>
        position.emptySearches++ % startOverAfter === 0 ? [pipeline] : [],
      )
    },
  }
}
