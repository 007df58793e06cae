// Finds faults in an inbox before anything is taken from it. Only reads the file system: creates and moves nothing.

import { constants, type Stats } from 'node:fs'
import { access, lstat, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { foreignFolderProblem, subFolders } from './worker-folder.ts'

export interface InboxFault {
  /** What is wrong, and what to do. */
  sentence: string
  /**
   * True if the fault is a sub-folder that does not belong to the worker: anyone who may drop files can create one.
   */
  foreign: boolean
}

/** Returns an empty list if files can be taken from the inbox. */
export async function inboxFaults(folder: string): Promise<InboxFault[]> {
  const inboxStats = await stat(folder).catch((error: NodeJS.ErrnoException) => error.code ?? 'unknown')
  if (typeof inboxStats === 'string')
    return oneFault(
      inboxStats === 'ENOENT'
        ? `${folder} does not exist. Create it, or correct source.inbox; it is never created automatically, because a mistyped path would then be watched forever`
        : `${folder} cannot be read (${inboxStats})`,
    )
  if (!inboxStats.isDirectory()) return oneFault(`${folder} is not a folder`)
  const faults = await rightsFaults(folder)
  for (const name of subFolders) faults.push(...(await subFolderFaults(join(folder, name), inboxStats)))
  return faults
}

const oneFault = (sentence: string): InboxFault[] => [{ sentence, foreign: false }]

async function rightsFaults(folder: string): Promise<InboxFault[]> {
  // Renaming needs write permission on the folder, listing needs read permission, and reaching a file execute
  // permission.
  return access(folder, constants.R_OK | constants.W_OK | constants.X_OK).then(
    () => [],
    (error: NodeJS.ErrnoException) =>
      oneFault(
        `${folder} cannot be read and written by this account (${error.code}). Give the account both permissions`,
      ),
  )
}

async function subFolderFaults(path: string, inbox: Stats): Promise<InboxFault[]> {
  const found = await lstat(path).catch(() => null)
  // A missing sub-folder is created when the first file is taken.
  if (!found) return []
  const foreign = foreignFolderProblem(path, found)
  if (foreign) return [{ sentence: foreign, foreign: true }]
  if (found.dev !== inbox.dev)
    return oneFault(
      `${path} is on another file system than its inbox, so files cannot be renamed into it. Move both to one file system`,
    )
  return rightsFaults(path)
}
