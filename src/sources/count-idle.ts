// Ends a table that goes on and on with nothing in it, long before anybody loses patience.

import type { Refuse } from './source-error.ts'
import type { SourceLimits } from './source-limits.ts'

export interface Idle {
  /** Counts pieces that hold nothing. Throws SourceError (`limit`). */
  add(pieces: number): void
  /** Something came: the count begins anew. */
  end(): void
}

export function countIdle(limits: SourceLimits, refuse: Refuse): Idle {
  let idle = 0
  return {
    add(pieces) {
      idle += pieces
      if (idle <= limits.idlePieces) return
      throw refuse(
        'limit',
        `The table holds more than ${limits.idlePieces} empty cells and other pieces without a filled row between them, the limit. Delete empty rows and columns and save it anew.`,
      )
    },
    end() {
      idle = 0
    },
  }
}
