// Reads a source in the calling thread. For untrusted files use `openSource`, which does the same in a separate thread
// with limits.

import { bytesOfFile } from './byte-source.ts'
import { detectFormat } from './detect-format.ts'
import { assembleSource } from './header-and-batches.ts'
import type { RawTable, Source, SourceOptions } from './source.ts'
import { refusalsOf, toRefusal } from './source-error.ts'
import type { OpenFile } from './source-file.ts'
import { sourceLimits, type TableReading } from './source-limits.ts'

/**
 * Works like `openSource`, but without its limits on time and memory, and never closes the file.
 * @throws SourceError
 */
export async function readInThisThread(file: OpenFile, options: SourceOptions = {}): Promise<Source> {
  const refuse = refusalsOf(file.path)
  const limits = { ...sourceLimits, ...options.limits }
  const reading = { limits, refuse }
  try {
    if (file.bytes > limits.fileBytes) {
      const sentence = `The file has ${file.bytes} bytes; the limit is ${limits.fileBytes}. Split it into smaller files.`
      throw refuse('limit', sentence)
    }
    return await assembleSource(file.path, await openTable(file, options, reading), reading)
  } catch (error) {
    throw toRefusal(error, refuse)
  }
}

// Imports the parsers dynamically, so that a thread loads only those of the format that it reads.
async function openTable(file: OpenFile, options: SourceOptions, reading: TableReading): Promise<RawTable> {
  const { refuse } = reading
  const bytes = bytesOfFile(file)
  if ((await detectFormat(bytes, refuse)) === 'csv') {
    const { openCsv } = await import('./csv/open-csv.ts')
    return openCsv(bytes, options, reading)
  }
  const { openZippedTable } = await import('./zip-source/open-table-zip.ts')
  return openZippedTable(file, options, reading)
}
