// Finds, checks and opens the archive folders of the configured pipelines. Touches only the file system.

import { access, constants, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type DownloadFolder, openDownloadFolder } from './download-folder.ts'
import { DownloadFolderError } from './download-folder-error.ts'
import { removeStored } from './remove-certificates.ts'

export interface Archive {
  pipeline: string
  /** An absolute path. */
  folder: string
  /**
   * Checks and opens the folder, and reads the end of its manifest. Creates the last level of its path if that is
   * missing.
   * @param usedFolder where this pipeline's certificates were stored before. If this is the same folder and it is
   * missing, it is not created again: its disk may not be mounted, or somebody may have moved it
   * @throws DownloadFolderError
   */
  open(usedFolder: string | null): Promise<DownloadFolder>
}

export interface Archives {
  all: Archive[]
  find(pipeline: string): Archive | null
  /** The hosts that the link of a certificate may point to. */
  hosts: readonly string[]
  remove: typeof removeStored
}

// The ledger records what is archived. The manifest is needed only for the few files that were listed there but not
// recorded in the ledger when a process was killed. This many bytes contain 200 entries or more.
const manifestTailBytes = 64 * 1024

interface ArchivedPipelines {
  [name: string]: { archive?: { to: string } | undefined }
}

/** Returns the archives of the pipelines that have one. Reads no folder: `open` of each archive does. */
export function openArchives(pipelines: ArchivedPipelines, hosts: readonly string[]): Archives {
  const all = Object.entries(pipelines).flatMap(([pipeline, { archive }]) =>
    archive ? [archiveIn(pipeline, archive.to)] : [],
  )
  return {
    all,
    hosts,
    find: (pipeline) => all.find((entry) => entry.pipeline === pipeline) ?? null,
    remove: removeStored,
  }
}

function archiveIn(pipeline: string, folder: string): Archive {
  return {
    pipeline,
    folder,
    async open(usedFolder) {
      const fault = await archiveFault(folder, usedFolder)
      if (fault) throw new DownloadFolderError(fault)
      return await openDownloadFolder(folder, manifestTailBytes)
    },
  }
}

/**
 * Says what is wrong with the folder and what to do next; null if the folder can be used. Creates and writes nothing.
 */
export async function archiveFault(folder: string, usedFolder: string | null): Promise<string | null> {
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
