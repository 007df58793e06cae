// What may be said about a source file that it does not say itself.

import type { SourceLimits } from './source-limits.ts'

export interface SourceOptions {
  /** One character between the cells of a CSV. Sniffed when left out. */
  delimiter?: string | undefined
  /** The encoding of a CSV, such as `windows-1252`. Sniffed when left out. */
  encoding?: string | undefined
  /** The name of the sheet of a workbook, hidden or not. The first visible one when left out. */
  sheet?: string | undefined
  /** Replaces single limits. */
  limits?: Partial<SourceLimits> | undefined
}
