// The archives of the configuration: a pipeline's folder, and when it was tidied last.

import { access, constants, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Clock } from '#src/time/clock.ts'
import { type DownloadFolder, openDownloadFolder } from './download-folder.ts'
import { DownloadFolderError } from './download-folder-error.ts'

export interface Archive {
  pipeline: string
  /** Absolute. */
  folder: string
  /**
   * @param usedFolder where certificates of this pipeline were kept before: if that is this folder and it is missing, it is not made
   * anew, for its disk may not be mounted, or somebody has moved it
   * @throws DownloadFolderError
   */
  open(usedFolder: string | null): Promise<DownloadFolder>
}

export interface Archives {
  all: Archive[]
  find(pipeline: string): Archive | null
  /** Where the link of a certificate may be followed to. */
  hosts: readonly string[]
}

// What a killed process left half written is as old before it is removed. To find it the whole folder is read.
const tidyEveryMs = 3_600_000
// The ledger knows what is archived; the list is asked for the few that a kill left between the list and the ledger. 200 files and more.
const listTail = 64 * 1024

interface ArchivedPipelines {
  [name: string]: { archive?: { to: string } | undefined }
}

/** Opens nothing yet. */
export function openArchives(pipelines: ArchivedPipelines, hosts: readonly string[], clock: Clock): Archives {
  const all = Object.entries(pipelines).flatMap(([pipeline, { archive }]) =>
    archive ? [openArchive(pipeline, archive.to, clock)] : [],
  )
  return { all, hosts, find: (pipeline) => all.find((each) => each.pipeline === pipeline) ?? null }
}

function openArchive(pipeline: string, folder: string, clock: Clock): Archive {
  let tidiedMs = Number.NEGATIVE_INFINITY
  return {
    pipeline,
    folder,
    async open(usedFolder) {
      const fault = await archiveFault(folder, usedFolder)
      if (fault) throw new DownloadFolderError(fault)
      const tidy = clock.monotonicMs() - tidiedMs >= tidyEveryMs
      const opened = await openDownloadFolder(folder, clock, { tidy, listTail })
      if (tidy) tidiedMs = clock.monotonicMs()
      return opened
    },
  }
}

/** What is wrong with the folder, as a sentence with the next step, or null. Makes and writes nothing. */
export async function archiveFault(folder: string, usedFolder: string | null): Promise<string | null> {
  const there = await stat(folder).catch((error: NodeJS.ErrnoException) => error)
  if (!(there instanceof Error)) return there.isDirectory() ? await whyClosed(folder) : noFolder(folder)
  if (there.code !== 'ENOENT')
    return `${folder} cannot be looked at (${there.code}). Check its permissions and its disk.`
  if (usedFolder === folder)
    return `${folder} is missing, and certificates were kept there before, so it is not made anew. Mount its disk or bring it back; if it is to be empty, make it.`
  const above = dirname(folder)
  const isThere = await stat(above).catch(() => null)
  if (isThere) return isThere.isDirectory() ? await whyClosed(above) : noFolder(above)
  return `There is no folder ${above}, and only the last level of a path is made. Make it, or mount its disk.`
}

async function whyClosed(folder: string): Promise<string | null> {
  try {
    await access(folder, constants.W_OK | constants.X_OK)
    return null
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return `${folder} may not be written by this account (${code}). Change its owner or its mode.`
  }
}

function noFolder(path: string): string {
  return `${path} is no folder. Name another one.`
}
