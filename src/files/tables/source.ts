// The interface of a source of any format, which is a header and rows of text, and the options for reading it.

import type { SourceLimits } from './source-limits.ts'

/**
 * The type of a spreadsheet cell, or of the last result of its formula, before it became text. CSV cells have no kind,
 * because all are text. `number:0.85` is a number that is shown differently from how it is stored, such as 85%: the
 * cell is the text that is shown. For an `unshown` number, it is not certain what the sheet shows: the cell is the
 * number that is stored.
 */
export type CellKind = 'text' | 'number' | `number:${string}` | 'unshown' | 'date' | 'boolean' | 'error' | 'empty'

/**
 * The value of a workbook cell that is neither text nor formula: its column (from 0), its number or truth value, and
 * the number format, omitted if it is General. Days are counted from 1899-12-30, whatever epoch the workbook uses.
 */
export type RawValue = readonly [column: number, value: number | boolean, format?: string]

/** Why a row cannot be trusted. `rule` is stable, for programs; `sentence` is for people and contains no cell text. */
export interface RowProblem {
  rule: 'ragged-row' | 'invalid-characters' | 'lost-characters' | 'cell-too-long' | 'formula-without-value'
  sentence: string
}

export interface SourceRow {
  /** The row number that a spreadsheet program shows: the header is normally row 1, and blank rows count. */
  row: number
  /** The cells in the order of the header: at least as many as the header has, and more only in a ragged row. */
  cells: string[]
  /**
   * The time of a repeated completion that a learning system reported. It makes a second credential for the person
   * legitimate, although no column shows that.
   */
  occasion?: Date
  /** One kind for each cell. Only for a workbook. */
  kinds?: CellKind[]
  /**
   * The `RawValue`s of the row as JSON, so that they take one string per row. Only for a workbook, and only for its
   * first `maxWorkbookRows` rows, because the results of a longer one are written as CSV.
   */
  raw?: string
  problem?: RowProblem
}

/** The type of an image, detected by its content. The file name of a `jpg` may end in jpg or jpeg. */
export type ImageKind = 'jpg' | 'png'

export interface SourceImage {
  /** The name in the ZIP without folders, with accented letters composed (NFC). */
  name: string
  /** The bytes of that name, as Latin-1, if `name` is a guess: it is in the code page of the program that packed it. */
  nameBytes?: string
  kind: ImageKind
  bytes: number
}

/** The images in a ZIP that has a table: those that are complete and of the type that their names say. */
export interface SourceImages {
  list: readonly SourceImage[]
  /** Reads the image called `name`, ignoring case. @throws SourceError (`archive`) if there is none */
  read(name: string): Promise<Buffer>
}

export interface Source extends AsyncDisposable {
  /** The file's name without its folders. */
  name: string
  /** The learning system that reported the completions in its rows; omitted for a file. */
  completionsOf?: string
  /** The format of the table, even if it is inside a ZIP. */
  format: 'csv' | 'xlsx'
  /** The delimiter of a CSV; omitted for a workbook. */
  separator?: string | undefined
  /** The names of the columns: trimmed, never empty, never duplicated. */
  header: string[]
  /**
   * Sentences for an operator to read before trusting the file, for example about hidden rows. Some are added with the
   * last batch.
   */
  notices: string[]
  /**
   * Yields up to 500 rows at a time, without empty rows. Can be read only once. May throw SourceError after rows have
   * been yielded, if a later part of the file is damaged: do not use the rows until the last batch has arrived.
   */
  batches(): AsyncIterable<SourceRow[]>
  /** Null if the file is only a table. With images, the file stays open until the source is disposed of. */
  images: SourceImages | null
  /** How many pictures lie over cells below the header. They are not read. Omitted if there are none. */
  pictures?: number | undefined
  /** Columns in which rows have no value because of merged cells, among the rows that have been read. */
  merged: MergedColumn[]
}

/**
 * A column with merged cells. Only the first cell of a merged range has the value; the other rows and columns have
 * none.
 */
export interface MergedColumn {
  /** Counted from 0. */
  column: number
  /** One of the merged ranges, for example `D2:D4`. */
  range: string
  /** The row, if the range is within a single row, so that only this row has no value. */
  row?: number
}

/** The output of the reader of a format: every row as in the file, including the header. */
export interface RawTable {
  format: Source['format']
  separator?: string | undefined
  notices: string[]
  /** Rows in groups of any size. Ending the generator early closes its source. */
  rows: AsyncGenerator<SourceRow[], void, undefined>
  /** Notices that are known only after the last row. */
  lateNotices?: () => string[]
  /** The same as `merged` of a source. To be called after the last row. */
  mergedColumns?: () => MergedColumn[]
  images?: SourceImages
  /** What to say if there is no filled row, if the file shows the reason. */
  ifEmpty?: string | undefined
  /** The rows in which pictures that lie over cells begin. */
  pictureRows?: readonly number[]
  /** Closes what stays open after the last row. */
  close?: () => void
}

/** Options for reading a source file, for what the file itself does not show. */
export interface SourceOptions {
  /** The single character between the cells of a CSV. Detected if omitted. */
  delimiter?: string | undefined
  /** The encoding of a CSV, such as `windows-1252`. UTF-8 or UTF-16 if omitted. */
  encoding?: string | undefined
  /** The name of the sheet in a workbook, hidden or not. The first visible sheet if omitted. */
  sheet?: string | undefined
  /** Overrides individual limits. */
  limits?: Partial<SourceLimits> | undefined
}
