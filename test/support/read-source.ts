// Opens a source from bytes, for short tests of what is read from a file.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import module from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SourceOptions } from '#src/files/tables/open-source.ts'
import { readInThisThread } from '#src/files/tables/read-in-this-thread.ts'
import type { Source, SourceRow } from '#src/files/tables/source.ts'
import { SourceError } from '#src/files/tables/source-error.ts'
import { openSourceFile } from '#src/files/tables/source-file.ts'

// Each source starts a thread, which starts twice as fast from compiled code, as in the program.
module.enableCompileCache(join(import.meta.dirname, '../../node_modules/.cache/credsync'))

/** Calls `use` with the path of a temporary file of these bytes. */
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

/** Like `openSource`, but in this thread. Disposing of the source closes the file. */
export async function readInPlace(path: string, options?: SourceOptions): Promise<Source> {
  const file = await openSourceFile(path, 'followed')
  try {
    const source = await readInThisThread(file, options)
    const close = async () => {
      await source[Symbol.asyncDispose]()
      await file.close()
    }
    return { ...source, [Symbol.asyncDispose]: close }
  } catch (error) {
    await file.close()
    throw error
  }
}

/** Reads everything from a file of these bytes, in this thread. */
export function readSource(bytes: string | Buffer, options?: SourceOptions) {
  return withFile(bytes, async (path) => {
    await using source = await readInPlace(path, options)
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

/** Returns the error with which a file of these bytes is refused, at any stage. */
export async function readRefusal(bytes: string | Buffer, options?: SourceOptions): Promise<SourceError> {
  try {
    await readSource(bytes, options)
  } catch (error) {
    if (error instanceof SourceError) return error
    throw error
  }
  throw new Error('The file was accepted.')
}
