// How much a source file may ask of us. Hostile files stop at one of these, ordinary ones never meet them.

export interface SourceLimits {
  /** Files inside a workbook. A large real one has some hundreds. */
  zipEntries: number
  /** Bytes of all files inside a workbook once inflated. A million rows of ten columns are about 500 MB. */
  inflatedBytes: number
  /** How many times larger the inside may be than the file, looked at only above `ratioFromBytes`: small XML packs well. */
  inflateRatio: number
  ratioFromBytes: number
  /** Bytes of one part that is kept whole: lists of sheets and styles. The most bloated real styles have about 10 MB. */
  keptPartBytes: number
  /** Bytes of distinct texts kept in memory while a sheet is read. Three million names are about 100 MB. */
  sharedStringBytes: number
  /** Far above any table of people; keeps one row small. */
  columns: number
  /** The last row any spreadsheet program has. */
  rows: number
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
  zipEntries: 2_000,
  inflatedBytes: 1024 * megabyte,
  inflateRatio: 100,
  ratioFromBytes: 16 * megabyte,
  keptPartBytes: 32 * megabyte,
  sharedStringBytes: 256 * megabyte,
  columns: 512,
  rows: 1_048_576,
  cellCharacters: 32_767,
  xmlNesting: 64,
  xmlPieceBytes: megabyte,
  csvRecordBytes: 131_072,
}
