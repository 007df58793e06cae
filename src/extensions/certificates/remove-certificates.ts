// Removes certificates from a download folder: their files, part files of killed processes, and their lines of the
// manifest. Can be repeated after a kill at any moment.

import { constants } from 'node:fs'
import { type FileHandle, opendir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { flushFolder } from '#src/files/tables/make-folders.ts'
import { DownloadFolderError, folderFault } from './download-folder-error.ts'
import { fileStem } from './fetch-certificate.ts'
import { manifestName, openPlain, parseManifest } from './manifest.ts'

/**
 * Removes everything that was stored for these ids. A file that is missing counts as removed, but only in a folder that
 * has its manifest: otherwise its disk may not be mounted.
 * @throws DownloadFolderError
 */
export async function removeCertificates(folder: string, ids: readonly string[]): Promise<void> {
  const path = join(folder, manifestName)
  const manifest = await openPlain(path, constants.O_RDWR).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' ? folderMissing(folder) : folderFault(path, error)
  })
  try {
    // The files first: a line of the manifest without its file is harmless.
    await removeFilesOf(folder, new Set(ids.map(fileStem)))
    await flushFolder(folder)
    await blankLines(manifest, new Set(ids))
    await manifest.sync()
  } catch (error) {
    throw folderFault(folder, error)
  } finally {
    await manifest.close()
  }
}

/**
 * Removes what was stored for these ids, if certificates were ever stored in the folder.
 * @param isRequired whether they were: then it is a fault that the folder shows none
 * @returns why they could not be removed; null if they were
 */
export async function removeStored(
  folder: string,
  ids: readonly string[],
  isRequired: boolean,
): Promise<string | null> {
  try {
    if (isRequired || (await hasManifest(folder))) await removeCertificates(folder, ids)
    return null
  } catch (error) {
    if (!(error instanceof DownloadFolderError)) throw error
    return error.message
  }
}

/** Whether certificates were ever stored in the folder. */
async function hasManifest(folder: string): Promise<boolean> {
  const manifest = await openPlain(join(folder, manifestName), constants.O_RDONLY).catch(() => null)
  await manifest?.close()
  return manifest !== null
}

function folderMissing(folder: string): DownloadFolderError {
  return new DownloadFolderError(
    `${folder} has no ${manifestName}, although certificates were stored there. Mount the disk of the folder or restore the folder; if its certificates are gone for good, create an empty ${manifestName} in it.`,
  )
}

/** Looks at every name, because a killed process leaves files that are recorded nowhere. */
async function removeFilesOf(folder: string, stems: ReadonlySet<string>): Promise<void> {
  for await (const { name } of await opendir(folder)) {
    const [, stem] = /^\.?([^.]+)\.(?:[0-9a-z]+|[0-9a-f]{8}\.part)$/.exec(name) ?? []
    if (stem !== undefined && stems.has(stem)) await rm(join(folder, name), { force: true })
  }
}

/**
 * Overwrites lines with spaces, in place: another process may append at the same time, and a line that it appends to
 * the file must not be lost, as it would be if the manifest were replaced.
 */
async function blankLines(manifest: FileHandle, ids: ReadonlySet<string>): Promise<void> {
  const bytes = await manifest.readFile()
  for (let start = 0, end = 0; start < bytes.length; start = end + 1) {
    const lineEnd = bytes.indexOf('\n', start)
    end = lineEnd < 0 ? bytes.length : lineEnd
    if (isLineOf(bytes.toString('utf8', start, end), ids))
      await manifest.write(Buffer.alloc(end - start, ' '), 0, null, start)
  }
}

function isLineOf(line: string, ids: ReadonlySet<string>): boolean {
  if (line.trim() === '') return false
  const [stored] = parseManifest(line).files.keys()
  if (stored !== undefined) return ids.has(stored)
  // A line that was cut short still names its certificate.
  return [...ids].some((id) => line.includes(id) || line.includes(fileStem(id)))
}
