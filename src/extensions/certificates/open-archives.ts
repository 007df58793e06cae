// Finds and opens the archive folders of the configured pipelines. Touches only the file system.

import { type DownloadFolder, openDownloadFolder } from './download-folder.ts'
import { removeStored } from './remove-certificates.ts'

export interface Archive {
  pipeline: string
  /** An absolute path. */
  folder: string
  /** As `openDownloadFolder`, but reads only the end of the manifest. */
  open(usedFolder: string | null): Promise<DownloadFolder>
}

export interface Archives {
  all: Archive[]
  find(pipeline: string): Archive | null
  remove: typeof removeStored
}

// The ledger records what is archived. The manifest is needed only for the few files that were listed there but not
// recorded in the ledger when a process was killed. This many bytes contain 200 entries or more.
const manifestTailBytes = 64 * 1024

interface ArchivedPipelines {
  [name: string]: { archive?: { to: string } | undefined }
}

/** Returns the archives of the pipelines that have one. Reads no folder: `open` of each archive does. */
export function openArchives(pipelines: ArchivedPipelines): Archives {
  const all = Object.entries(pipelines).flatMap(([pipeline, { archive }]): Archive[] => {
    if (!archive) return []
    const folder = archive.to
    return [{ pipeline, folder, open: (usedFolder) => openDownloadFolder(folder, usedFolder, manifestTailBytes) }]
  })
  return {
    all,
    find: (pipeline) => all.find((entry) => entry.pipeline === pipeline) ?? null,
    remove: removeStored,
  }
}
