// Renames a file in a folder that other programs also write to, even if one of them has created a folder with the new
// name.

import { randomUUID } from 'node:crypto'
import { lstat, rename } from 'node:fs/promises'

/**
 * Works like `rename`, except that a folder in the way is first renamed, with its content, to NAME.XXXXXXXX.old.
 * @throws the file system's error if it cannot be renamed
 */
export async function renameOver(from: string, to: string): Promise<void> {
  try {
    await rename(from, to)
  } catch (error) {
    const isFolder = await lstat(to).then(
      (found) => found.isDirectory(),
      () => false,
    )
    if (!isFolder || (error as NodeJS.ErrnoException).code === 'ENOENT') throw error
    await rename(to, `${to}.${randomUUID().slice(0, 8)}.old`)
    await rename(from, to)
  }
}
