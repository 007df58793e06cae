// Writes what is held of a person into a folder: JSON, a page, certificates and images. Only the owner can read them.

import { constants, copyFile, lstat, mkdir, open, readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { PersonFiles } from '#src/extensions/privacy/ledger/person-data.ts'
import { makeFolders } from '#src/files/tables/make-folders.ts'
import { type PersonExport, personPage } from './person-page.ts'

/** Thrown if the folder cannot be used. */
export class ExportFolderError extends Error {
  override readonly name = 'ExportFolderError'
}

/** Creates the folder, or accepts an empty one. @throws ExportFolderError */
export async function openExportFolder(path: string): Promise<void> {
  const existing = await lstat(path).catch(() => null)
  if (existing && !existing.isDirectory())
    throw new ExportFolderError(`${path} is not a folder. Name another one with --to.`)
  try {
    if (!existing) await makeFolders(path, 0o700)
    else if ((await readdir(path)).length > 0)
      throw new ExportFolderError(`${path} is not empty. Name a new or an empty folder with --to.`)
  } catch (error) {
    if (error instanceof ExportFolderError) throw error
    throw notWritten(path, error)
  }
}

/**
 * @returns the names of the files, and of the certificates that could not be copied
 * @throws ExportFolderError
 */
export async function writePerson(
  path: string,
  person: Omit<PersonExport, 'files' | 'missingFiles'>,
  { certificates, images }: PersonFiles,
  writtenAt: Date,
): Promise<Pick<PersonExport, 'files' | 'missingFiles'>> {
  const files: string[] = []
  const missingFiles: string[] = []
  try {
    if (certificates.length > 0) await mkdir(join(path, 'certificates'), { mode: 0o700 })
    for (const { folder, file } of certificates) {
      const name = `certificates/${basename(file)}`
      if (await copyPrivately(join(folder, file), join(path, name))) files.push(name)
      else missingFiles.push(join(folder, file))
    }
    if (images.length > 0) await mkdir(join(path, 'images'), { mode: 0o700 })
    for (const [index, { bytes, type }] of images.entries()) {
      const name = `images/${index + 1}.${type}`
      await writePrivately(join(path, name), bytes)
      files.push(name)
    }
    const content = { ...person, files, missingFiles }
    await writePrivately(join(path, 'data.json'), `${JSON.stringify({ writtenAt, ...content }, null, 2)}\n`)
    await writePrivately(join(path, 'index.html'), personPage(content, writtenAt))
  } catch (error) {
    throw notWritten(path, error)
  }
  return { files, missingFiles }
}

/** @returns false if there is no such file, or it is no file */
async function copyPrivately(from: string, to: string): Promise<boolean> {
  const source = await lstat(from).catch(() => null)
  if (!source?.isFile()) return false
  await writePrivately(to, '')
  return copyFile(from, to, constants.COPYFILE_FICLONE).then(
    () => true,
    () => false,
  )
}

async function writePrivately(path: string, content: string | Buffer): Promise<void> {
  await using file = await open(path, 'wx', 0o600)
  await file.writeFile(content)
}

function notWritten(path: string, error: unknown): ExportFolderError {
  const { code = 'unknown reason' } = error as NodeJS.ErrnoException
  return new ExportFolderError(
    `${path} could not be written (${code}). Check its permissions and free space, delete what is in it, and run the command again.`,
  )
}
