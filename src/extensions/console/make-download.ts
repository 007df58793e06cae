// Makes files for the browser. Each has the people of a run, so none stays on disk: it no longer has a name when it is
// sent, and what a kill left behind is removed. Writes files.

import { randomUUID } from 'node:crypto'
import { type FileHandle, open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolders } from '#src/files/tables/make-folders.ts'
import { freeBytes, isFullDisk, keptFreeBytes } from '#src/platform/free-disk.ts'

/**
 * While a file is made, it is written to all the time: one that has not changed for this long belongs to no process.
 */
const abandonedMs = 3_600_000

const folderIn = (dataDir: string) => join(dataDir, 'console')

class NoRoomError extends Error {
  override readonly name = 'NoRoomError'
}

/**
 * @param write writes the file, and calls `checkRoom` now and then
 * @returns the file, which is gone when it is closed; null if the disk has no room for it
 */
export async function makeDownload(
  dataDir: string,
  format: string,
  write: (path: string, checkRoom: () => Promise<void>) => Promise<void>,
): Promise<FileHandle | null> {
  const folder = folderIn(dataDir)
  const path = join(folder, `${randomUUID()}.${format}`)
  const checkRoom = async () => {
    if ((await freeBytes(folder)) < keptFreeBytes) throw new NoRoomError()
  }
  try {
    await makeFolders(folder, 0o700)
    await checkRoom()
    await write(path, checkRoom)
    return await open(path)
  } catch (error) {
    if (error instanceof NoRoomError || isFullDisk(error)) return null
    throw error
  } finally {
    // The open file stays readable.
    await rm(path, { force: true })
  }
}

/** Removes what processes that were killed have left. Other processes may be making files in the same folder. */
export async function removeAbandonedDownloads(dataDir: string, now: Date): Promise<void> {
  const folder = folderIn(dataDir)
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name)
    const writtenMs = await stat(path).then(
      ({ mtimeMs }) => mtimeMs,
      () => null,
    )
    if (writtenMs !== null && now.getTime() - writtenMs > abandonedMs) await rm(path, { force: true })
  }
}
