// Removes the unfinished .part files that killed processes left in a folder. A folder is scanned when this process
// first writes to it, and then at most once an hour, because a scan of a folder with years of results takes a long
// time.

import { lstat, readdir, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'

const scanEveryMs = 3_600_000
/** No writer takes longer than this, so an older part file was left by a killed process, on this machine or another. */
const abandonedAfterMs = 3_600_000
const partName = /^\.[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.part$|\.[0-9a-f]{8}\.part$/

/**
 * When each folder was last scanned. Keyed by device, inode and creation time, because the path may change, and a new
 * folder often gets the inode of a deleted one.
 */
const scannedAtMs = new Map<string, number>()

/**
 * Call this right after creating the part file `ownName` in the folder. Part files whose names begin with `prefix`
 * belong to no running writer, whatever their age. Errors are ignored.
 */
export async function removeAbandonedParts(
  folder: string,
  { ownName: own, prefix: begin }: { ownName: string; prefix?: string },
): Promise<void> {
  const stats = await stat(folder).catch(() => null)
  if (!stats) return
  // The time on the file system's clock, which may be another machine's: creating `own` has just changed the folder.
  const { dev, ino, birthtimeMs, mtimeMs: nowMs } = stats
  const identity = `${dev} ${ino} ${birthtimeMs}`
  const lastScanMs = scannedAtMs.get(identity)
  if (lastScanMs !== undefined && Math.abs(nowMs - lastScanMs) < scanEveryMs) return
  scannedAtMs.set(identity, nowMs)
  for (const name of await readdir(folder).catch(() => [])) {
    const hasNoWriter =
      begin !== undefined && name.startsWith(begin) && /^(\.[0-9a-f]{8})?\.part$/.test(name.slice(begin.length))
    if (name === own || !(hasNoWriter || partName.test(name))) continue
    const path = join(folder, name)
    // Another worker may be removing it at the same time.
    const found = await lstat(path).catch(() => null)
    if (hasNoWriter || (found?.isFile() && nowMs - found.mtimeMs > abandonedAfterMs)) await unlink(path).catch(() => {})
  }
}
