// Makes a folder and what is missing above it, in a bounded number of steps.

import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Not `mkdir` with `recursive`: where a folder that is there says "no such file" to whoever makes one in it (/proc on Linux), that never ends,
 * in a thread that no signal reaches. Measured with Node 24.
 * @param mode of each folder that is made
 * @throws what the file system says to the first level that cannot be made
 */
export async function makeFolders(path: string, mode = 0o777): Promise<void> {
  try {
    await mkdir(path, { mode })
  } catch (error) {
    if (await isFolder(path)) return
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || dirname(path) === path) throw error
    await makeFolders(dirname(path), mode)
    await mkdir(path, { mode }).catch(async (again: NodeJS.ErrnoException) => {
      // Somebody else was quicker.
      if (!(await isFolder(path))) throw again
    })
  }
}

async function isFolder(path: string): Promise<boolean> {
  return await stat(path).then(
    (there) => there.isDirectory(),
    () => false,
  )
}
