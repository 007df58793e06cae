// Writes bytes to a new file, completely or not at all, and replaces an existing file only on request.

import { randomUUID } from 'node:crypto'
import { link, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { makeFolders } from './make-folders.ts'

/** Thrown if the file could not be written or already exists. */
export class FileNotWrittenError extends Error {
  override readonly name = 'FileNotWrittenError'
}

/**
 * Writes `bytes` to `path`, through a part file in the same folder, and creates missing folders. With `replace`, an
 * existing file is replaced.
 * @throws FileNotWrittenError; then no part file is left behind, and an existing file is unchanged
 */
export async function writeNewFile(path: string, bytes: Buffer, { replace = false } = {}): Promise<void> {
  const partPath = `${path}.${randomUUID().slice(0, 8)}.part`
  try {
    await makeFolders(dirname(path))
    const file = await open(partPath, 'wx')
    try {
      await file.writeFile(bytes)
      await file.sync()
    } finally {
      await file.close()
    }
    if (replace) await rename(partPath, path)
    else await takeName(partPath, path)
  } catch (error) {
    const { code = 'unknown reason' } = error as NodeJS.ErrnoException
    if (code === 'EEXIST')
      throw new FileNotWrittenError(
        `${path} already exists. Use --force to replace it, or name another file with --to.`,
      )
    const advice = 'Check the folder, its permissions and its free space, or name another file with --to.'
    throw new FileNotWrittenError(`${path} could not be written (${code}). ${advice}`)
  } finally {
    await rm(partPath, { force: true })
  }
}

// Gives the part file its final name with link(), which fails if the name is taken. If the name were checked before a
// rename, another process could take it in between.
async function takeName(partPath: string, path: string): Promise<void> {
  try {
    await link(partPath, path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') throw error
    // Some file systems, such as those of many USB sticks, have no links. There an empty file reserves the name.
    const empty = await open(path, 'wx')
    await empty.close()
    await rename(partPath, path)
  }
}
