// The folder that certificates are downloaded to, and its list.

import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Clock } from '#src/time/clock.ts'
import { DownloadFolderError, folderFault } from './download-folder-error.ts'
import { type Manifest, openManifest } from './manifest.ts'
import { partName } from './part-file.ts'

export interface DownloadFolder {
  /** Absolute. */
  path: string
  manifest: Manifest
}

// One download ends within its five tries of five minutes (src/issuer), so nobody writes at what is older.
const abandonedAfterMs = 3_600_000

export interface FolderOptions {
  /** Whether what killed processes left half written is looked for. The whole folder is read for that. Default true. */
  tidy?: boolean
  /** How many bytes of the list's end are read. Default: all of it. */
  listTail?: number
}

/**
 * Opens the folder at the absolute `path`; its last level is made where it is missing (0700: certificates are personal data), and nothing
 * above it, for a disk that is not mounted must not become a folder of that name. Removes what killed processes left half written.
 * @throws DownloadFolderError
 */
export async function openDownloadFolder(
  path: string,
  clock: Pick<Clock, 'now'>,
  { tidy = true, listTail = Number.POSITIVE_INFINITY }: FolderOptions = {},
): Promise<DownloadFolder> {
  await makeLastLevel(path)
  try {
    if (tidy) await removeAbandoned(path, clock.now().getTime() - abandonedAfterMs)
    return { path, manifest: await openManifest(path, listTail) }
  } catch (error) {
    throw folderFault(path, error)
  }
}

async function makeLastLevel(path: string): Promise<void> {
  const there = await stat(path).catch(() => null)
  if (there?.isDirectory()) return
  if (there) throw new DownloadFolderError(`${path} is no folder. Name another one.`)
  try {
    await mkdir(path, { mode: 0o700 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw folderFault(path, error)
    throw new DownloadFolderError(
      `There is no folder ${dirname(path)}, and only the last level of a path is made. Make it, or mount its disk.`,
    )
  }
}

async function removeAbandoned(path: string, beforeMs: number): Promise<void> {
  for (const name of await readdir(path)) {
    if (!partName.test(name)) continue
    const part = await stat(join(path, name)).catch(() => null)
    if (part && part.mtimeMs < beforeMs) await rm(join(path, name), { force: true })
  }
}
