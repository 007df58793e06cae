// Rewrites or removes existing files of an outbox when a person is forgotten, and never creates one. A missing file is
// no fault, because its reader may have removed it. A missing folder is a fault, because its disk may not be mounted.

import { lstat, rm } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { nullIfMissing } from '#src/files/inbox/inbox-error.ts'
import { openWorkerFolder } from '#src/files/inbox/worker-folder.ts'
import { writeTextSafely } from '#src/files/inbox/write-text-safely.ts'
import { openTableWriter, type TableWriter } from '#src/files/tables/table-writer.ts'

/** Thrown when the folder of written files is missing. The message is a sentence for the operator. */
export class FolderMissingError extends Error {
  override readonly name = 'FolderMissingError'
  readonly folder: string

  constructor(folder: string) {
    super(
      `The folder ${folder} is missing, and files were written there. Mount its disk or restore the folder; if its files are gone for good, create an empty folder in its place.`,
    )
    this.folder = folder
  }
}

type TableOptions = Parameters<typeof openTableWriter>[1]

export interface WrittenFiles extends AsyncDisposable {
  /** Opens a table that replaces the existing file of that name when it is closed; null if there is no such file. */
  rewrite(name: string, table: Omit<TableOptions, 'mode'>): Promise<TableWriter | null>
  /** Replaces the text of an existing file; does nothing if there is none. */
  replaceText(name: string, text: string): Promise<void>
  /** Removes a file if it exists. @returns whether it existed */
  remove(name: string): Promise<boolean>
}

/** @throws FolderMissingError; InboxError if the folder does not belong to the worker; and file system errors */
export async function openWrittenFiles(outbox: string): Promise<WrittenFiles> {
  if ((await nullIfMissing(lstat(outbox))) === null) throw new FolderMissingError(outbox)
  // Results are written only to a folder of this name, in an inbox or in the data directory.
  if (basename(outbox) !== 'outbox') throw new TypeError('not an outbox')
  const folder = await openWorkerFolder(dirname(outbox), 'outbox')
  const isFile = async (name: string) => (await nullIfMissing(lstat(folder.pathOf(name))))?.isFile() ?? false
  return {
    rewrite: async (name, table) =>
      (await isFile(name)) ? await openTableWriter(folder.pathOf(name), { ...table, mode: folder.fileMode }) : null,
    async replaceText(name, text) {
      if (await isFile(name)) await writeTextSafely(folder, name, { text, mode: folder.fileMode })
    },
    async remove(name) {
      if (!(await isFile(name))) return false
      await rm(folder.pathOf(name), { force: true })
      return true
    },
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  }
}

/** Returns the distinct folders that contain the files at these paths. Pure. */
export function foldersOf(paths: readonly (string | null)[]): string[] {
  return [...new Set(paths.flatMap((path) => (path === null ? [] : [dirname(path)])))]
}
