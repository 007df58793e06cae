// Creates a folder and its missing parents in a bounded number of steps, and makes the names in a folder durable.

import { mkdir, open, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Does not use `mkdir` with `recursive`: if an existing folder returns "no such file" when a folder is created in it
 * (/proc on Linux), that call never ends, in a thread that no signal reaches. Measured with Node 24.
 * @param mode of each folder that is created
 * @throws the file system's error for the first level that cannot be created
 */
export async function makeFolders(path: string, mode = 0o777): Promise<void> {
  try {
    await mkdir(path, { mode })
  } catch (error) {
    if (await isFolder(path)) return
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || dirname(path) === path) throw error
    await makeFolders(dirname(path), mode)
    await mkdir(path, { mode }).catch(async (secondError: NodeJS.ErrnoException) => {
      // Another process was faster.
      if (!(await isFolder(path))) throw secondError
    })
  }
}

async function isFolder(path: string): Promise<boolean> {
  return await stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  )
}

/**
 * Flushes a folder to disk, because a new file's content may be on disk before its name is. Some file systems refuse to
 * flush a folder; a new name is then not guaranteed to survive a crash. Never throws.
 */
export async function flushFolder(path: string): Promise<void> {
  const folder = await open(path).catch(() => null)
  await folder?.sync().catch(() => {})
  await folder?.close().catch(() => {})
}
