// How far the due rows of each pipeline have been picked, in the order of their index. A row that was picked leaves a
// dead entry there until PostgreSQL removes it: in a list of a million, whoever began at the first entry would pass all of
// them for each batch. Kept in memory; without a position rows are looked for from the first one.

/** After so many picks or looks the next one begins at the first row: it finds rows that were locked, or published late. */
const maxPicks = 20

/** The last row up to which every row was picked. */
export interface PickPosition {
  /** When it was due, as exact text. */
  dueAt: string
  id: number
}

export type PickPositions = ReturnType<typeof openPickPositions>

export function openPickPositions() {
  const positions = new Map<string, PickPosition & { picks: number; looks: number }>()
  return {
    all: (): ReadonlyMap<string, PickPosition> => positions,
    /** Where the next pick begins; null at the first row. */
    next(pipeline: string): PickPosition | null {
      const position = positions.get(pipeline)
      if (!position || position.picks === maxPicks) {
        positions.delete(pipeline)
        return null
      }
      position.picks++
      return position
    },
    note(pipeline: string, { dueAt, id }: PickPosition): void {
      positions.set(pipeline, { dueAt, id, picks: positions.get(pipeline)?.picks ?? 0, looks: 0 })
    },
    /** Whether to look for a due row from the first one, although none was found after the position. */
    looksAgain(pipeline: string): boolean {
      const position = positions.get(pipeline)
      return position !== undefined && position.looks++ % maxPicks === 0
    },
    forget(pipeline: string): void {
      positions.delete(pipeline)
    },
  }
}
