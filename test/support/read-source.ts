// Opens a source from bytes, for tests that say in one line what comes out of a file.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import module from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSource, type SourceOptions } from '#src/sources/open-source.ts'
import type { SourceRow } from '#src/sources/source.ts'
import { SourceError } from '#src/sources/source-error.ts'

// Each source starts a thread, and threads start from compiled code in half the time, as they do in the program.
module.enableCompileCache(join(import.meta.dirname, '../../node_modules/.cache/credsync'))

/** Calls `use` with the path of a file of these bytes, which is gone afterwards. */
export async function withFile<T>(bytes: string | Buffer, use: (path: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'credsync-source-'))
  try {
    const path = join(folder, 'results.dat')
    await writeFile(path, bytes)
    return await use(path)
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Everything that comes out of a file of these bytes. */
export function readSource(bytes: string | Buffer, options?: SourceOptions) {
  return withFile(bytes, async (path) => {
    await using source = await openSource(path, options)
    const rows: SourceRow[] = []
    for await (const batch of source.batches()) rows.push(...batch)
    return {
      header: source.header,
      notices: source.notices,
      format: source.format,
      rows,
      cells: rows.map((row) => row.cells),
    }
  })
}

/** The error with which a file of these bytes is refused, at whatever point. */
export async function readRefusal(bytes: string | Buffer, options?: SourceOptions): Promise<SourceError> {
  try {
    await readSource(bytes, options)
  } catch (error) {
    if (error instanceof SourceError) return error
    throw error
  }
  throw new Error('The file was taken.')
}
