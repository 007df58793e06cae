// The door of this folder: a path goes in, a header and streamed rows come out.

import { openCsv } from '#src/sources/csv/open-csv.ts'
import { openWorkbook } from '#src/sources/xlsx/open-workbook.ts'
import { assembleSource } from './assemble-source.ts'
import { detectFormat } from './detect-format.ts'
import type { Source } from './source.ts'
import { asRefusal, refusalsOf } from './source-error.ts'
import { type SourceLimits, sourceLimits } from './source-limits.ts'

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

/**
 * Opens the CSV or XLSX file at `path`, told apart by what is in it and not by its name, and reads as far as the first
 * row under the header. Dispose of the source, or read its batches to the end, to close the file.
 * Throws SourceError when the file is not one we can take.
 */
export async function openSource(path: string, options: SourceOptions = {}): Promise<Source> {
  const refuse = refusalsOf(path)
  const limits = { ...sourceLimits, ...options.limits }
  try {
    const format = await detectFormat(path, refuse)
    const table =
      format === 'xlsx'
        ? await openWorkbook(path, options.sheet, limits, refuse)
        : await openCsv(path, options, limits, refuse)
    return await assembleSource(path, table, limits, refuse)
  } catch (error) {
    throw asRefusal(error, refuse, 'damaged', 'The file could not be read to its end. Save it again and send it anew.')
  }
}
