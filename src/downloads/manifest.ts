// The list of what a folder holds: one line of JSON for each file, appended when the file is whole.

import { constants } from 'node:fs'
import { type FileHandle, lstat, open } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { z } from 'zod'
import { flushFolder } from '#src/sources/flush-folder.ts'
import { hashFile } from '#src/sources/hash-file.ts'
import { DownloadFolderError } from './download-folder-error.ts'

export const manifestName = 'manifest.jsonl'

// A name and no path: the list lies in the open, and what is read by it must lie beside it.
const plainName = z.string().refine((name) => name === basename(name) && name !== '' && !name.startsWith('.'))

const kept = z.object({
  /** As the service was asked: a credential_id or an entity_uuid. */
  id: z.string(),
  file: plainName,
  /** Hex. */
  sha256: z.string(),
  /** Bytes. */
  size: z.number(),
  /** The service's word; empty without one. */
  contentType: z.string(),
  /** ISO 8601, UTC. */
  fetchedAt: z.string(),
})

export type KeptFile = z.infer<typeof kept>

export interface Manifest {
  path: string
  /** Lines that are none, such as the last one of a process that was killed. */
  unreadable: number
  /** What the folder holds of this id: null when the list does not have it, or the file is gone or has another content. */
  holds(id: string): Promise<KeptFile | null>
  /** On the disk when it resolves. One at a time. */
  add(file: KeptFile): Promise<void>
}

/** Pure. The last line of an id counts. */
export function parseManifest(text: string): { files: Map<string, KeptFile>; unreadable: number } {
  const files = new Map<string, KeptFile>()
  let unreadable = 0
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue
    const file = readLine(line)
    if (file) files.set(file.id, file)
    else unreadable += 1
  }
  return { files, unreadable }
}

function readLine(line: string): KeptFile | null {
  try {
    return kept.parse(JSON.parse(line))
  } catch {
    return null
  }
}

/**
 * Reads the list of the folder, if there is one. Throws what the file system throws, and DownloadFolderError for a list that is no plain file.
 * @param tail how many bytes of its end are read: what stands before them is not known then
 */
export async function openManifest(folder: string, tail = Number.POSITIVE_INFINITY): Promise<Manifest> {
  const path = join(folder, manifestName)
  const text = await readEnd(path, tail)
  const { files, unreadable } = parseManifest(text)
  // After a broken last line the next one must not become part of it.
  let before = text === '' || text.endsWith('\n') ? '' : '\n'
  let isNew = text === ''
  let turn: Promise<void> = Promise.resolve()

  async function append(file: KeptFile): Promise<void> {
    const handle = await openPlain(path, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT)
    try {
      await handle.appendFile(`${before}${JSON.stringify(file)}\n`)
      await handle.sync()
    } finally {
      await handle.close()
    }
    if (isNew) await flushFolder(folder)
    isNew = false
    before = ''
    files.set(file.id, file)
  }
  return {
    path,
    unreadable,
    async holds(id) {
      const file = files.get(id)
      if (!file) return null
      const sha256 = await hashPlain(join(folder, file.file))
      return sha256 === file.sha256 ? file : null
    },
    add(file) {
      const mine = turn.then(() => append(file))
      turn = mine.catch(() => {})
      return mine
    },
  }
}

// A link could lead out of the folder, to a file that is not ours to write, and a pipe never ends. Neither is known on Windows.
const { O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants

async function openPlain(path: string, flags: number): Promise<FileHandle> {
  const handle = await open(path, flags | O_NOFOLLOW | O_NONBLOCK, 0o600).catch((error: NodeJS.ErrnoException) => {
    // A link, and a pipe that nobody reads, by POSIX; a folder.
    throw ['ELOOP', 'EMLINK', 'ENXIO', 'EISDIR'].includes(error.code ?? '') ? notPlain(path) : error
  })
  if ((await handle.stat()).isFile()) return handle
  await handle.close()
  throw notPlain(path)
}

function notPlain(path: string): DownloadFolderError {
  return new DownloadFolderError(
    `${path} is not a plain file but a link, a folder, a pipe or a device, and the list of a folder is kept in none of these. Move it away, or name another folder.`,
  )
}

/** Null where there is no plain file: then it is fetched anew, and takes the place of what is there. */
async function hashPlain(path: string): Promise<string | null> {
  const there = await lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  return there?.isFile() ? await hashFile(path) : null
}

/** Whole lines only: the one that the cut goes through is left out. */
async function readEnd(path: string, most: number): Promise<string> {
  const handle = await openPlain(path, constants.O_RDONLY).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (!handle) return ''
  try {
    const { size } = await handle.stat()
    const length = Math.min(size, most)
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, size - length)
    const text = buffer.toString('utf8', 0, bytesRead)
    return length < size ? text.slice(text.indexOf('\n') + 1) : text
  } finally {
    await handle.close()
  }
}
