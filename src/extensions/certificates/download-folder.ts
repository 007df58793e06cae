// Opens the folder that certificates are downloaded to, and reads its manifest. Creates the folder if it is missing.

import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { DownloadFolderError, folderFault } from './download-folder-error.ts'
import { type Manifest, openManifest } from './manifest.ts'

export interface DownloadFolder {
  /** An absolute path. */
  path: string
  manifest: Manifest
}

/**
 * Opens the folder at the absolute `path`. If only the last level of the path is missing, it is created with mode 0700,
 * because certificates are personal data. Parent folders are not created: otherwise an ordinary folder would take the
 * place of a disk that is not mounted.
 * @param manifestTailBytes how many bytes to read from the end of the manifest
 * @throws DownloadFolderError
 */
export async function openDownloadFolder(
  path: string,
  manifestTailBytes = Number.POSITIVE_INFINITY,
): Promise<DownloadFolder> {
  await makeLastLevel(path)
  try {
    return { path, manifest: await openManifest(path, manifestTailBytes) }
  } catch (error) {
    throw folderFault(path, error)
  }
}

async function makeLastLevel(path: string): Promise<void> {
  const found = await stat(path).catch(() => null)
  if (found?.isDirectory()) return
  if (found) throw new DownloadFolderError(`${path} is not a folder. Choose another folder.`)
  try {
    await mkdir(path, { mode: 0o700 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw folderFault(path, error)
    throw new DownloadFolderError(
      `There is no folder ${dirname(path)}, and only the last level of a path is created. Create that folder, or mount its disk.`,
    )
  }
}
