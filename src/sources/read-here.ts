// Reads a source in the thread that calls it. `openSource` does the same behind a thread with limits, which is what a
// stranger's file needs.

import { stat } from 'node:fs/promises'
import { assembleSource } from './assemble-source.ts'
import { bytesOfFile } from './byte-source.ts'
import { detectFormat } from './detect-format.ts'
import type { RawTable, Source } from './source.ts'
import { asRefusal, type Refuse, refusalsOf } from './source-error.ts'
import { type SourceLimits, sourceLimits } from './source-limits.ts'
import type { SourceOptions } from './source-options.ts'

/** As `openSource`, without its limits of time and memory. Throws SourceError. */
export async function readHere(path: string, options: SourceOptions = {}): Promise<Source> {
  const refuse = refusalsOf(path)
  const limits = { ...sourceLimits, ...options.limits }
  try {
    await expectFile(path, refuse)
    return await assembleSource(path, await openTable(path, options, limits, refuse), limits, refuse)
  } catch (error) {
    throw asRefusal(error, refuse, 'damaged', 'The file could not be read to its end. Save it again and send it anew.')
  }
}

/** Opening a pipe would wait for somebody to write to it, and no thread that waits there can be ended. */
async function expectFile(path: string, refuse: Refuse): Promise<void> {
  const found = await stat(path)
  if (found.isFile() || found.isDirectory()) return
  throw refuse('unreadable', 'This is a pipe or a device, not a file. Send a file.')
}

// Each format brings parsers of its own; a thread that reads one file should not load the other's.
async function openTable(
  path: string,
  options: SourceOptions,
  limits: SourceLimits,
  refuse: Refuse,
): Promise<RawTable> {
  const bytes = bytesOfFile(path)
  if ((await detectFormat(bytes, refuse)) === 'csv') {
    const { openCsv } = await import('#src/sources/csv/open-csv.ts')
    return openCsv(bytes, options, limits, refuse)
  }
  const { openZipped } = await import('#src/sources/archive/open-zipped.ts')
  return openZipped(path, options, limits, refuse)
}
