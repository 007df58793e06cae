// The type of an entry in the table of sample files.

import type { CellKind, RowProblem, SourceOptions } from '#src/files/tables/source.ts'
import type { SourceErrorCode } from '#src/files/tables/source-error.ts'

export interface Taken {
  header: string[]
  /** The cells of every row, including invalid rows. */
  rows: string[][]
  /** A pattern for each notice, in order. No notices are expected if omitted. */
  notices?: RegExp[]
  /** The rule that a row breaks, by the row number in a spreadsheet program. */
  problems?: Record<number, RowProblem['rule']>
  /** The kinds of the first row's cells. */
  kinds?: CellKind[]
}

export interface Refused {
  refused: SourceErrorCode
  sentence: RegExp
}

export interface CorpusCase {
  /** Describes the file, completing "a file that …". */
  name: string
  /** The file name, if it matters. */
  file?: string
  build(): string | Buffer | Promise<Buffer>
  options?: SourceOptions
  expected: Taken | Refused
}
