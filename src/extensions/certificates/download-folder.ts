// Checks and opens the folder that certificates are downloaded to, and reads its manifest. Creates the folder if it is
// missing.

import { access, constants, mkdir, stat } from 'node:fs/promises'
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
 * @param usedFolder where certificates were stored before. If this is the same folder and it is missing, it is not
 * created again: its disk may not be mounted, or somebody may have moved it
 * @param manifestTailBytes how many bytes to read from the end of the manifest
 * @throws DownloadFolderError
 */
export async function openDownloadFolder(
  path: string,
  usedFolder: string | null = null,
  manifestTailBytes = Number.POSITIVE_INFINITY,
): Promise<DownloadFolder> {
  const fault = await whyFolderUnusable(path, usedFolder)
  if (fault) throw new DownloadFolderError(fault)
  try {
    await mkdir(path, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
    return { path, manifest: await openManifest(path, manifestTailBytes) }
  } catch (error) {
    throw folderFault(path, error)
  }
}

/**
 * Says what is wrong with the folder and what to do next; null if the folder can be used. Creates and writes nothing.
 */
export async function whyFolderUnusable(folder: string, usedFolder: string | null): Promise<string | null> {
  const found = await stat(folder).catch((error: NodeJS.ErrnoException) => error)
  if (!(found instanceof Error)) return found.isDirectory() ? await whyNotWritable(folder) : notAFolder(folder)
  if (found.code !== 'ENOENT')
    return `${folder} cannot be examined (${found.code}). Check the permissions and the disk of the folder.`
  if (usedFolder === folder)
    return `${folder} is missing, and certificates were stored there before, so it is not created again. Mount the disk of the folder or restore the folder; if the folder is meant to be empty, create it.`
  const parent = dirname(folder)
  const parentFound = await stat(parent).catch(() => null)
  if (parentFound) return parentFound.isDirectory() ? await whyNotWritable(parent) : notAFolder(parent)
  return `There is no folder ${parent}, and only the last level of a path is created. Create that folder, or mount its disk.`
}

async function whyNotWritable(folder: string): Promise<string | null> {
  try {
    await access(folder, constants.W_OK | constants.X_OK)
    return null
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return `${folder} is not writable by this account (${code}). Change the owner or the permissions of the folder.`
  }
}

function notAFolder(path: string): string {
  return `${path} is not a folder. Choose another folder.`
}
