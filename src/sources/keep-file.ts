// Puts bytes into a new file, whole or not at all, and never over another one unless that was asked for.

import { randomUUID } from 'node:crypto'
import { link, lstat, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { makeFolders } from './make-folders.ts'

/** A file that could not be written, or that was there already. */
export class FileNotKeptError extends Error {
  override readonly name = 'FileNotKeptError'
}

/**
 * Writes `bytes` to `path` through a part file beside it; folders on the way are made. With `replace` a file that is there goes.
 * @throws FileNotKeptError; then nothing is left, and what was there stays
 */
export async function keepFile(path: string, bytes: Buffer, { replace = false } = {}): Promise<void> {
  const part = `${path}.${randomUUID().slice(0, 8)}.part`
  try {
    await makeFolders(dirname(path))
    const file = await open(part, 'wx')
    try {
      await file.writeFile(bytes)
      await file.sync()
    } finally {
      await file.close()
    }
    if (replace) await rename(part, path)
    else await takeName(part, path)
  } catch (error) {
    const { code = 'unknown reason' } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') throw taken(path)
    const advice = 'Check the folder, its permissions and its room, or name another file with --to.'
    throw new FileNotKeptError(`${path} could not be written (${code}). ${advice}`)
  } finally {
    await rm(part, { force: true })
  }
}

/** @throws FileNotKeptError when there is something of that name */
export async function refuseTaken(path: string): Promise<void> {
  const there = await lstat(path).catch(() => null)
  if (there) throw taken(path)
}

function taken(path: string): FileNotKeptError {
  return new FileNotKeptError(`${path} is there already. Say --force to replace it, or name another file with --to.`)
}

// A link is refused where a name is taken; looking first and renaming then would leave a moment between the two.
async function takeName(part: string, path: string): Promise<void> {
  try {
    await link(part, path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') throw error
    // File systems without links, such as those of many sticks: an empty file takes the name instead.
    const empty = await open(path, 'wx')
    await empty.close()
    await rename(part, path)
  }
}
