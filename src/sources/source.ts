// What a source file looks like to everybody else: a header and rows of text, whatever format it came in.

/** What a spreadsheet cell held before it became text. CSV cells have no kind: there everything is text. */
export type CellKind = 'text' | 'number' | 'date' | 'boolean' | 'error' | 'formula' | 'empty'

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
  /** Of a workbook only; one for each cell. */
  kinds?: CellKind[]
  problem?: RowProblem
}

export interface Source extends AsyncDisposable {
  /** The file's name without its folders. */
  name: string
  format: 'csv' | 'xlsx'
  /** Trimmed, never empty, never the same twice. */
  header: string[]
  /** Sentences a person should see before trusting the file, such as a guessed encoding. */
  notices: string[]
  /**
   * Up to 500 rows at a time, wholly empty rows left out. Can be read once. Throws SourceError when the file turns out
   * to be bad further down, after rows of it were already handed out: keep them aside until the last batch has come.
   */
  batches(): AsyncIterable<SourceRow[]>
}

/** What a format's reader hands over: every row as it stands in the file, the header still among them. */
export interface RawTable {
  format: Source['format']
  notices: string[]
  /** Rows in groups of any size. Ending it early closes the file. */
  rows: AsyncGenerator<SourceRow[], void, undefined>
}
