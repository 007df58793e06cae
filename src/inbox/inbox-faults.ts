// What is wrong with an inbox before anything is taken from it. Looks only: nothing is made or moved.

import { constants, type Stats } from 'node:fs'
import { access, lstat, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { subFolders } from './fitting-name.ts'

/** A sentence for each fault, with what to do; none when files can be taken from it. */
export async function inboxFaults(folder: string): Promise<string[]> {
  const there = await stat(folder).catch((error: NodeJS.ErrnoException) => error.code ?? 'unknown')
  if (typeof there === 'string')
    return [
      there === 'ENOENT'
        ? `${folder} is not there. Make it, or correct source.inbox; it is never made by itself, since a slip of the pen would be watched for ever`
        : `${folder} cannot be looked at (${there})`,
    ]
  if (!there.isDirectory()) return [`${folder} is not a folder`]
  const faults = await rightsFaults(folder)
  for (const name of subFolders) faults.push(...(await subFolderFaults(join(folder, name), there)))
  return faults
}

async function rightsFaults(folder: string): Promise<string[]> {
  // Renaming needs the right to write to the folder, listing to read it, and reaching a file to pass through it.
  return access(folder, constants.R_OK | constants.W_OK | constants.X_OK).then(
    () => [],
    (error: NodeJS.ErrnoException) => [
      `${folder} cannot be read and written by this account (${error.code}). Give it the right to both`,
    ],
  )
}

async function subFolderFaults(path: string, inbox: Stats): Promise<string[]> {
  const seen = await lstat(path).catch(() => null)
  // A missing one is made when the first file is taken.
  if (!seen) return []
  if (!seen.isDirectory()) return [`${path} is not a folder, and files are to be put there. Rename it`]
  if (seen.dev !== inbox.dev)
    return [`${path} is on another file system than its inbox, so files cannot be renamed into it. Bring both to one`]
  return rightsFaults(path)
}
