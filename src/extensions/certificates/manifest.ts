// Reads and appends to the manifest of a download folder: one line of JSON for each file, written once the file is
// complete.

import { constants } from 'node:fs'
import { type FileHandle, lstat, open } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { z } from 'zod'
import { hashFile } from '#src/files/tables/hash-file.ts'
import { flushFolder } from '#src/files/tables/make-folders.ts'
import { DownloadFolderError } from './download-folder-error.ts'

export const manifestName = 'manifest.jsonl'

// A file name without a path. Anybody may edit the manifest, and a file named in it must be in the same folder.
const nameWithoutPath = z.string().refine((name) => name === basename(name) && name !== '' && !name.startsWith('.'))

const manifestEntry = z.object({
  /** The id that the file was requested by: a credential_id or an entity_uuid. */
  id: z.string(),
  file: nameWithoutPath,
  /** In hex. */
  sha256: z.string(),
  /** In bytes. */
  size: z.number(),
  /** As the service sent it; empty if the service sent none. */
  contentType: z.string(),
  /** ISO 8601, UTC. */
  fetchedAt: z.string(),
})

export type StoredFile = z.infer<typeof manifestEntry>

export interface Manifest {
  path: string
  /** The number of lines that could not be parsed, for example because the process was killed while writing. */
  unreadable: number
  /**
   * Returns the file stored for this id; null if the manifest does not list it, or the file is missing or has changed.
   */
  findIntact(id: string): Promise<StoredFile | null>
  /** Resolves once the entry is on disk. Concurrent calls are queued. */
  add(file: StoredFile): Promise<void>
}

/** If an id is listed more than once, its last line counts. Pure. */
export function parseManifest(text: string): { files: Map<string, StoredFile>; unreadable: number } {
  const files = new Map<string, StoredFile>()
  let unreadable = 0
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue
    const file = readLine(line)
    if (file) files.set(file.id, file)
    else unreadable += 1
  }
  return { files, unreadable }
}

function readLine(line: string): StoredFile | null {
  try {
    return manifestEntry.parse(JSON.parse(line))
  } catch {
    return null
  }
}

/**
 * Reads the manifest of the folder, if it has one.
 * @param tailBytes how many bytes to read from the end of the manifest; entries before them are ignored
 * @throws whatever the file system throws, and DownloadFolderError if the manifest is not a regular file
 */
export async function openManifest(folder: string, tailBytes = Number.POSITIVE_INFINITY): Promise<Manifest> {
  const path = join(folder, manifestName)
  const text = await readEnd(path, tailBytes)
  const { files, unreadable } = parseManifest(text)
  // Ends an incomplete last line before the next entry is appended.
  let separator = text === '' || text.endsWith('\n') ? '' : '\n'
  let isNew = text === ''
  let lastAppend: Promise<void> = Promise.resolve()

  async function append(file: StoredFile): Promise<void> {
    const handle = await openPlain(path, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT)
    try {
      await handle.appendFile(`${separator}${JSON.stringify(file)}\n`)
      await handle.sync()
    } finally {
      await handle.close()
    }
    if (isNew) await flushFolder(folder)
    isNew = false
    separator = ''
    files.set(file.id, file)
  }
  return {
    path,
    unreadable,
    async findIntact(id) {
      const file = files.get(id)
      if (!file) return null
      const sha256 = await hashPlain(join(folder, file.file))
      return sha256 === file.sha256 ? file : null
    },
    add(file) {
      const appended = lastAppend.then(() => append(file))
      lastAppend = appended.catch(() => {})
      return appended
    },
  }
}

// A symbolic link could lead to a file outside the folder, and opening a pipe could block forever. Windows does not
// have these flags.
const { O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants

/** @throws DownloadFolderError if it is not a regular file, and whatever the file system throws */
export async function openPlain(path: string, flags: number): Promise<FileHandle> {
  const handle = await open(path, flags | O_NOFOLLOW | O_NONBLOCK, 0o600).catch((error: NodeJS.ErrnoException) => {
    // The codes for a link, for a pipe without a reader (both according to POSIX), and for a folder.
    throw ['ELOOP', 'EMLINK', 'ENXIO', 'EISDIR'].includes(error.code ?? '') ? notPlain(path) : error
  })
  if ((await handle.stat()).isFile()) return handle
  await handle.close()
  throw notPlain(path)
}

function notPlain(path: string): DownloadFolderError {
  return new DownloadFolderError(
    `${path} is not a regular file (it is a link, a folder, a pipe or a device), so it cannot be used as the manifest. Move it elsewhere, or choose another folder.`,
  )
}

/**
 * Null if the path is not a regular file. The certificate is then fetched again, and replaces whatever has that name.
 */
async function hashPlain(path: string): Promise<string | null> {
  const stats = await lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  return stats?.isFile() ? await hashFile(path) : null
}

/** Returns at most `maxBytes` from the end of the file, dropping a partial first line. */
async function readEnd(path: string, maxBytes: number): Promise<string> {
  const handle = await openPlain(path, constants.O_RDONLY).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (!handle) return ''
  try {
    const { size } = await handle.stat()
    const length = Math.min(size, maxBytes)
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, size - length)
    const text = buffer.toString('utf8', 0, bytesRead)
    return length < size ? text.slice(text.indexOf('\n') + 1) : text
  } finally {
    await handle.close()
  }
}
