// What a source file looks like to everybody else: a header and rows of text, whatever format it came in.

/** What a spreadsheet cell, or the last result of its formula, was before it became text. CSV cells have no kind: there everything is text. */
export type CellKind = 'text' | 'number' | 'date' | 'boolean' | 'error' | 'empty'

/** Why one row cannot be trusted. `rule` is stable and for programs, `sentence` is for people and holds no cell text. */
export interface RowProblem {
  rule: 'ragged-row' | 'invalid-characters' | 'lost-characters' | 'cell-too-long' | 'formula-without-value'
  sentence: string
}

export interface SourceRow {
  /** The number a spreadsheet program shows beside the row: the header is normally 1, and blank rows count. */
  row: number
  /** At least as many as the header has, in its order. More only in a ragged row. */
  cells: string[]
  /** What makes a second credential of the person legitimate although no column says so: when a learning system says that a course was completed anew. */
  occasion?: Date
  /** Of a workbook only; one for each cell. */
  kinds?: CellKind[]
  problem?: RowProblem
}

/** By content; a name may say jpg or jpeg. */
export type ImageKind = 'jpg' | 'png'

export interface SourceImage {
  /** As in the ZIP, without folders. Letters with accents are composed (NFC), however the ZIP has them. */
  name: string
  kind: ImageKind
  bytes: number
}

/** The images beside the table of a ZIP: whole, and of the kind that their names say. */
export interface SourceImages {
  list: readonly SourceImage[]
  /** The bytes of the image called `name`, whose case does not count. Throws SourceError (`archive`) when there is none. */
  read(name: string): Promise<Buffer>
}

export interface Source extends AsyncDisposable {
  /** The file's name without its folders. */
  name: string
  /** Of the table, also when it came in a ZIP. */
  format: 'csv' | 'xlsx'
  /** What stands between the cells of a CSV; left out of a workbook. */
  separator?: string | undefined
  /** Trimmed, never empty, never the same twice. */
  header: string[]
  /** Sentences a person should see before trusting the file, such as a guessed encoding. Some come with the last batch. */
  notices: string[]
  /**
   * Up to 500 rows at a time, wholly empty rows left out. Can be read once. Throws SourceError when the file turns out
   * to be bad further down, after rows of it were already handed out: keep them aside until the last batch has come.
   */
  batches(): AsyncIterable<SourceRow[]>
  /** Null for a table alone. With images the file stays open until the source is disposed of. */
  images: SourceImages | null
  /** Columns in which rows under the header lost their cell to merged cells, as far as they were read. */
  merged: MergedColumn[]
}

/** Merged cells have the value of the first of them; the rows and columns that the others are in have none. */
export interface MergedColumn {
  /** From 0. */
  column: number
  /** Such a range, such as `D2:D4`. */
  range: string
  /** Where the range lies in one row, of which the column lost its value: no other row did. */
  row?: number
}

/** What a format's reader hands over: every row as it stands in the file, the header still among them. */
export interface RawTable {
  format: Source['format']
  separator?: string | undefined
  notices: string[]
  /** Rows in groups of any size. Ending it early closes what it reads. */
  rows: AsyncGenerator<SourceRow[], void, undefined>
  /** Notices that only the last row allows. */
  lateNotices?: () => string[]
  /** As `merged` of a source; to be asked after the last row. */
  mergedColumns?: () => MergedColumn[]
  /**
   * A sentence about the column (counted from 0) that has no name in the header at row `row`, when the file shows why.
   * Can be asked until the rows have ended.
   */
  explainGap?: (row: number, column: number) => Promise<string | undefined>
  images?: SourceImages
  /** Closes what stays open after the rows. */
  close?: () => void
}
