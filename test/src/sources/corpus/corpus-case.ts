// The form of a row in the table of sample files.

import type { CellKind, RowProblem } from '#src/sources/source.ts'
import type { SourceErrorCode } from '#src/sources/source-error.ts'
import type { SourceOptions } from '#src/sources/source-options.ts'

export interface Taken {
  header: string[]
  /** The cells of every row, bad ones too. */
  rows: string[][]
  /** One for each notice, in their order; none when left out. */
  notices?: RegExp[]
  /** The rule that a row breaks, by the number a spreadsheet program shows beside it. */
  problems?: Record<number, RowProblem['rule']>
  /** The kinds of the first row's cells. */
  kinds?: CellKind[]
}

export interface Refused {
  refused: SourceErrorCode
  sentence: RegExp
}

export interface CorpusCase {
  /** What the file is, to be read after "a file that". */
  name: string
  /** What somebody called it, when that is part of the matter. */
  file?: string
  build(): string | Buffer | Promise<Buffer>
  options?: SourceOptions
  expected: Taken | Refused
}
