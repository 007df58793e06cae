// Opens the sub-folders of an inbox that belong to the worker, removes old files from them, and decides by its name
// whether a file in the inbox may be taken.

import { constants, existsSync, type Stats } from 'node:fs'
import { lstat, mkdir, open, readdir, realpath, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, matchesGlob } from 'node:path'
import { InboxError } from './inbox-error.ts'
import { takenFileId } from './taken-file-name.ts'

export type SubFolder = (typeof subFolders)[number]

export interface WorkerFolder extends AsyncDisposable {
  /** The resolved path, for the ledger and for messages. */
  path: string
  /** The mode for new files in the folder: as permissive as the inbox, because the same people use both. */
  fileMode: number
  /** The path of a file in the folder, valid until the folder is disposed of. */
  pathOf(name: string): string
}

// A path through a descriptor always leads to the opened folder. On other systems the folder is only checked before
// each use, so it could still be replaced in between.
const throughDescriptors = process.platform === 'linux' && existsSync('/proc/self/fd')

/**
 * Opens a sub-folder of an inbox, and creates it if it is missing. Anybody who may drop files can rename the folder and
 * replace it with a link or another folder at any time. So it is opened, checked, and then used only through the open
 * handle.
 * @throws InboxError if the folder does not belong to the worker, and file system errors
 */
export async function openWorkerFolder(inbox: string, name: SubFolder): Promise<WorkerFolder> {
  const path = join(await realpath(inbox), name)
  const { mode } = await stat(inbox)
  // As permissive as the inbox, so that people who may drop a file also see where it went. But in `processing` no one
  // else may replace a file that is being checked and read.
  const folderMode = mode & (name === 'processing' ? 0o755 : 0o777)
  await mkdir(path, { mode: folderMode }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  const fileMode = mode & 0o666
  await assertWorkerFolder(inbox, path, await lstat(path))
  const plain = { path, fileMode, pathOf: (file: string) => join(path, file), async [Symbol.asyncDispose]() {} }
  // Windows cannot open folders.
  if (process.platform === 'win32') return plain
  const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants
  const handle = await open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
  try {
    const found = await handle.stat()
    await assertWorkerFolder(inbox, path, found)
    if (name === 'processing' && (found.mode & 0o022) !== 0 && found.uid === process.geteuid?.())
      await handle.chmod(found.mode & 0o755)
    const pathOf = throughDescriptors ? (file: string) => `/proc/self/fd/${handle.fd}/${file}` : plain.pathOf
    return { ...plain, pathOf, [Symbol.asyncDispose]: () => handle.close() }
  } catch (error) {
    await handle.close()
    throw error
  }
}

/** @throws InboxError if an existing sub-folder does not belong to the worker */
export async function assertWorkerFolders(inbox: string, names: readonly SubFolder[]): Promise<void> {
  for (const name of names) {
    const path = join(inbox, name)
    const found = await lstat(path).catch(() => null)
    if (found) await assertWorkerFolder(inbox, path, found)
  }
}

/**
 * Says why the folder cannot be used and what to do; null if it belongs to the worker. Pure, apart from the default
 * account.
 * @param account the account of this process, undefined on systems without accounts
 */
export function foreignFolderProblem(path: string, found: Stats, account = process.geteuid?.()): string | null {
  if (found.isSymbolicLink())
    return `${path} is a link, and the worker would read and write the folder that it points to. Remove the link; the worker will create its own folder`
  if (!found.isDirectory()) return `${path} is not a folder, but the worker needs a folder of that name. Rename it`
  // A folder owned by root was created by the machine's administrator.
  if (account === undefined || found.uid === account || found.uid === 0) return null
  return `${path} belongs to account ${found.uid} and not to this one (${account}), so its owner controls the contents. Move its files out and remove it; the worker will create its own. If it is on a network drive, mount the drive so that this account owns its files`
}

async function assertWorkerFolder(inbox: string, path: string, found: Stats): Promise<void> {
  const fault = foreignFolderProblem(path, found)
  if (fault) throw new InboxError(inbox, 'not-ours', fault)
}

const reportPattern = /\.([0-9a-f]{8})\.(?:(?:results|invalid|waiting)\.(?:csv|xlsx)|summary\.txt)$/

/** @returns the beginning of the run's id in the name of a taken file, its reason or marker, or of a report; or null */
function runPrefixOf(name: string): string | null {
  return takenFileId(name) ?? reportPattern.exec(name)?.[1] ?? null
}

/**
 * Lists the files of runs in a folder by the beginning of the run's id, which is in every name that the worker made.
 * Files with other names are left out. Empty if there is no such folder.
 */
export async function filesByRun(folder: string): Promise<Map<string, string[]>> {
  const files = new Map<string, string[]>()
  for (const name of (await readdir(folder).catch(() => [])).sort()) {
    const prefix = runPrefixOf(name)
    if (prefix !== null) files.set(prefix, [...(files.get(prefix) ?? []), name])
  }
  return files
}

/** Removes files of a worker's folder, never through a link. Throws InboxError, and file system errors. */
export async function removeOldFiles(folder: string, names: readonly string[]): Promise<void> {
  await using opened = await openWorkerFolder(dirname(folder), basename(folder) as SubFolder)
  for (const name of names) await rm(opened.pathOf(name), { force: true })
}

/** The sub-folders of an inbox that belong to the worker. */
export const subFolders = ['processing', 'done', 'refused', 'outbox'] as const

/** Names that browsers, editors, spreadsheets and copying programs give to unfinished files. */
const unfinished = /^\.|^~\$|~$|\.(tmp|part|partial|crdownload|filepart|swp|lock)$/i

/**
 * Returns true if the name matches the pattern, and the file is not still being written.
 * @param marker the extension of marker files, which only announce a file and contain no data; case is ignored
 */
export function isMatchingName(name: string, pattern: string, marker: string | null): boolean {
  if (!isHandedOver(name, marker)) return false
  // A name typed on one system and listed on another may differ in case and in the encoding of accents.
  const normalized = (text: string) => text.normalize('NFC').toLowerCase()
  return matchesGlob(normalized(name), normalized(pattern))
}

/** Returns false for names that are never meant to be taken: the worker's folders, unfinished files and markers. */
export function isHandedOver(name: string, marker: string | null): boolean {
  if (subFolders.some((folder) => folder === name) || unfinished.test(name)) return false
  return marker === null || !name.toLowerCase().endsWith(marker.toLowerCase())
}
