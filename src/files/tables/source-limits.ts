// Limits for source files. Malicious files exceed one of them; ordinary files never do.

import type { Refuse } from './source-error.ts'

export interface SourceLimits {
  /**
   * Megabytes of the reading thread's heap. A workbook of a million rows can be read in 24 MB and is slow below 64;
   * shared strings are kept outside the heap.
   */
  heapMegabytes: number
  /**
   * Milliseconds for one reply of the reading thread, usually a batch of rows. The slowest ordinary reply took 3 s (20
   * million empty cells), and a busy machine may be ten times slower. Refusing a good file is worse than waiting.
   */
  stallMs: number
  /** Total milliseconds of waiting for the reading thread. A workbook of a million rows took 8 to 25 s. */
  readingMs: number
  /**
   * Bytes of a file of any kind, limited because every file is hashed three times. A million rows of two thousand
   * characters have this size.
   */
  fileBytes: number
  /** The number of files inside a workbook. A large real workbook has a few hundred. */
  zipEntries: number
  /** The number of files inside a ZIP with a sheet and images: one image for each person of a large course. */
  archiveEntries: number
  /** Bytes of a ZIP's table of contents, which is kept in memory. 10,000 files with long names need 2 MB. */
  zipDirectoryBytes: number
  /**
   * Bytes of one image, which is kept in memory while it is checked. A photograph from a good camera has 5 to 10 MB.
   */
  imageBytes: number
  /**
   * Bytes of a workbook inside a ZIP, which is kept in memory. 500,000 rows need about 30 MB, and no one has that many
   * images.
   */
  nestedWorkbookBytes: number
  /** Bytes of all files inside a workbook or ZIP after inflating. A million rows of ten columns need about 500 MB. */
  inflatedBytes: number
  /**
   * How many times larger than the file its content may be. Checked only above `ratioFromBytes`, because small XML
   * compresses well.
   */
  inflateRatio: number
  /** The bytes of content above which `inflateRatio` is checked. */
  ratioFromBytes: number
  /**
   * Bytes of one part that is kept in memory, such as the lists of sheets and styles. The most bloated real styles have
   * about 10 MB.
   */
  keptPartBytes: number
  /** Bytes of distinct strings that are kept in memory while a sheet is read. Three million names need about 115 MB. */
  sharedStringBytes: number
  /** Columns of a table: far more than any table of people has, but few enough to keep one row small. */
  columns: number
  /** The number of the last row in any spreadsheet program. */
  rows: number
  /**
   * Empty cells, rows and other pieces between two filled rows. Twenty columns that are formatted down to the last row
   * have this many. Reading them took 1 to 6 s.
   */
  emptyPieces: number
  /** Characters of a cell: the longest text that a spreadsheet program stores. */
  cellCharacters: number
  /**
   * Nesting of XML elements. A worksheet needs about 10. With deep nesting, 6 MB of tags kept another reader busy for
   * 40 s.
   */
  xmlNesting: number
  /** Bytes of one tag, text or comment. The longest legal cell has 300 kB if every character is written as a number. */
  xmlPieceBytes: number
  /** Bytes of one CSV record. Without the limit, an unclosed quotation mark would swallow the rest of the file. */
  csvRecordBytes: number
}

/** What every reader of a file is given: its limits, and how it refuses the file. */
export interface TableReading {
  limits: SourceLimits
  refuse: Refuse
}

const megabyte = 1024 * 1024

export const sourceLimits: SourceLimits = {
  heapMegabytes: 64,
  stallMs: 60_000,
  readingMs: 900_000,
  fileBytes: 2048 * megabyte,
  zipEntries: 2_000,
  archiveEntries: 10_000,
  zipDirectoryBytes: 8 * megabyte,
  imageBytes: 10 * megabyte,
  nestedWorkbookBytes: 32 * megabyte,
  inflatedBytes: 1024 * megabyte,
  inflateRatio: 100,
  ratioFromBytes: 16 * megabyte,
  keptPartBytes: 32 * megabyte,
  sharedStringBytes: 160 * megabyte,
  columns: 512,
  rows: 1_048_576,
  emptyPieces: 20_000_000,
  cellCharacters: 32_767,
  xmlNesting: 64,
  xmlPieceBytes: megabyte,
  csvRecordBytes: 131_072,
}

/**
 * The maximum number of rows of a table that is written as a workbook; larger tables are written as CSV. Writing a
 * workbook took 211 MB for 100,000 rows and 689 MB for a million, whereas CSV is streamed.
 */
export const maxWorkbookRows = 50_000

interface EmptyCells {
  /** Counts empty cells, rows and other pieces. @throws SourceError (`limit`) */
  add(pieces: number): void
  /** Resets the count after a filled cell. */
  reset(): void
}

/** Refuses a table with too many consecutive empty cells. */
export function limitEmptyCells({ limits, refuse }: TableReading): EmptyCells {
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
