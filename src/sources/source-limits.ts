// How much a source file may ask of us. Hostile files stop at one of these, ordinary ones never meet them.

export interface SourceLimits {
  /**
   * Megabytes of the reading thread's heap. A workbook of a million rows can be read in 24 and is slow below 64; the texts
   * that it shares lie outside.
   */
  heapMegabytes: number
  /**
   * Milliseconds for one answer of the reading thread, mostly a batch of rows. The slowest ordinary one took 3 s (20 million
   * empty cells), and a busy machine may be ten times slower: refusing a good file is worse than waiting.
   */
  stallMs: number
  /** Milliseconds of waiting for the reading thread in all. A workbook of a million rows took 8 to 25 s. */
  readingMs: number
  /** Files inside a workbook. A large real one has some hundreds. */
  zipEntries: number
  /** Files inside a ZIP of a sheet and images: one for each person of a large course. */
  archiveEntries: number
  /** Bytes of a ZIP's table of contents. 10,000 files with long names have 2 MB; all of it is kept in memory. */
  zipDirectoryBytes: number
  /** Bytes of one image. It is kept whole while it is checked; a photograph from a good camera has 5 to 10 MB. */
  imageBytes: number
  /** Bytes of a workbook inside a ZIP, which is kept whole. 500,000 rows have about 30 MB, and nobody has as many images. */
  nestedWorkbookBytes: number
  /** Bytes of all files inside a workbook or ZIP once inflated. A million rows of ten columns are about 500 MB. */
  inflatedBytes: number
  /** How many times larger the inside may be than the file, looked at only above `ratioFromBytes`: small XML packs well. */
  inflateRatio: number
  ratioFromBytes: number
  /** Bytes of one part that is kept whole: lists of sheets and styles. The most bloated real styles have about 10 MB. */
  keptPartBytes: number
  /** Bytes of distinct texts kept in memory while a sheet is read. Three million names are about 115 MB. */
  sharedStringBytes: number
  /** Far above any table of people; keeps one row small. */
  columns: number
  /** The last row any spreadsheet program has. */
  rows: number
  /**
   * Empty cells and rows, and whatever else a table holds, without a filled row between them. Twenty columns that are
   * formatted down to the last row there is have as many. Measured: 1 to 6 s.
   */
  idlePieces: number
  /** The longest text a spreadsheet program keeps in a cell. */
  cellCharacters: number
  /** A worksheet needs about 10. Deep nesting is how 6 MB of tags kept another reader busy for 40 s. */
  xmlNesting: number
  /** Bytes of one tag, text or comment. The longest legal cell with every character written as a number is 300 kB. */
  xmlPieceBytes: number
  /** Bytes of one CSV record: an unclosed quote would otherwise swallow the rest of the file. */
  csvRecordBytes: number
}

const megabyte = 1024 * 1024

export const sourceLimits: SourceLimits = {
  heapMegabytes: 64,
  stallMs: 60_000,
  readingMs: 900_000,
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
  idlePieces: 20_000_000,
  cellCharacters: 32_767,
  xmlNesting: 64,
  xmlPieceBytes: megabyte,
  csvRecordBytes: 131_072,
}
