// Options for reading a source file, for what the file itself does not show.

import type { SourceLimits } from './source-limits.ts'

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
