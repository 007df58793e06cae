// Refuses a table with too many consecutive empty cells. Pure.

import type { Refuse } from './source-error.ts'
import type { SourceLimits } from './source-limits.ts'

export interface EmptyCells {
  /** Counts empty cells, rows and other pieces. @throws SourceError (`limit`) */
  add(pieces: number): void
  /** Resets the count after a filled cell. */
  reset(): void
}

export function limitEmptyCells(limits: SourceLimits, refuse: Refuse): EmptyCells {
  let count = 0
  return {
    add(pieces) {
      count += pieces
      if (count <= limits.emptyPieces) return
      throw refuse(
        'limit',
        `The table contains more than ${limits.emptyPieces} empty cells and other pieces between two filled rows; that is the limit. Delete the empty rows and columns, and save the file again.`,
      )
    },
    reset() {
      count = 0
    },
  }
}
