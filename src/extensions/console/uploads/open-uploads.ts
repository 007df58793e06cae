// The lists that were handed in by the console: each in a folder of its own below the data directory, with what is
// known of it beside it, so that both go together. Only this account can read them. Whether a list was issued is in the
// ledger (src/extensions/console/ledger/console-stores.ts). Reads and writes files.

import { randomUUID } from 'node:crypto'
import { open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { flushFolder, makeFolders } from '#src/files/tables/make-folders.ts'
import type { Rehearsal } from './rehearsal-record.ts'
import { openUploadSpace } from './reserved-space.ts'

/** A list that arrived whole. */
export interface Upload {
  id: string
  environment: string
  pipeline: string
  /** The name that the file has where it comes from. */
  name: string
  /** The name that it has here. */
  file: string
  bytes: number
  sha256: string
  by: string
  at: string
}

const fileMode = 0o600
const folderMode = 0o700
const uploadId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The lock of one list: it is rehearsed, issued and removed by one process at a time. */
export const lockOfUpload = (id: string) => `upload:${id}`

export type Uploads = ReturnType<typeof openUploads>

export function openUploads(dataDir: string) {
  const root = join(dataDir, 'uploads')
  const folderOf = (id: string) => join(root, id)
  const listFolderOf = (id: string) => join(folderOf(id), 'list')
  /** Null if there is none on this machine. */
  const find = async (id: string) => (uploadId.test(id) ? readRecord<Upload>(join(folderOf(id), 'upload.json')) : null)
  const pathOf = ({ id, file }: Pick<Upload, 'id' | 'file'>): string => join(listFolderOf(id), file)
  /** Newest first. */
  async function list(): Promise<Upload[]> {
    const found = await Promise.all((await idsIn(root)).map(find))
    return found.filter((upload) => upload !== null).sort((a, b) => b.at.localeCompare(a.at))
  }
  /** The lists of a person whose runs have yet to read them, or that nobody has issued. */
  async function waitingOf(person: string): Promise<Upload[]> {
    const own = (await list()).filter(({ by }) => by === person)
    const isThere = await Promise.all(own.map((upload) => stat(pathOf(upload)).then(Boolean, () => false)))
    return own.filter((_, at) => isThere[at])
  }
  return {
    ...openUploadSpace(waitingOf),
    /** Makes the folder for a new list. Nothing in it counts before `keep`. */
    async begin(): Promise<{ id: string; folder: string }> {
      const id = randomUUID()
      try {
        await makeFolders(root, folderMode)
        await makeFolders(listFolderOf(id), folderMode)
      } catch (error) {
        await rm(folderOf(id), { recursive: true, force: true })
        throw error
      }
      return { id, folder: listFolderOf(id) }
    },
    /** From now on the list is there. Its content must be on disk. */
    keep: (upload: Upload): Promise<void> => writeRecord(join(folderOf(upload.id), 'upload.json'), upload),
    ...{ find, list, pathOf },
    rehearsalOf: (id: string) => readRecord<Rehearsal>(join(folderOf(id), 'rehearsal.json')),
    keepRehearsal: (id: string, rehearsal: Rehearsal) => writeRecord(join(folderOf(id), 'rehearsal.json'), rehearsal),
    removeRehearsal: (id: string): Promise<void> => rm(join(folderOf(id), 'rehearsal.json'), { force: true }),
    /** Removes the list and keeps what is known of it. */
    removeList: (id: string): Promise<void> => rm(listFolderOf(id), { recursive: true, force: true }),
    remove: (id: string): Promise<void> => rm(folderOf(id), { recursive: true, force: true }),
    /** Folders without a whole list, and when something was last written to each. */
    async unfinished(): Promise<{ id: string; writtenAt: Date }[]> {
      const found: { id: string; writtenAt: Date }[] = []
      for (const id of await idsIn(root)) {
        if ((await find(id)) !== null) continue
        const folder = listFolderOf(id)
        const names = await readdir(folder).catch(() => [])
        const times = [folderOf(id), folder, ...names.map((name) => join(folder, name))].map((path) =>
          stat(path).then(
            ({ mtimeMs }) => mtimeMs,
            () => 0,
          ),
        )
        found.push({ id, writtenAt: new Date(Math.max(...(await Promise.all(times)))) })
      }
      return found
    },
  }
}

async function idsIn(root: string): Promise<string[]> {
  return (await readdir(root).catch(() => [])).filter((name) => uploadId.test(name))
}

/** Null if there is none, or a power failure has left only a part of it. */
async function readRecord<Content>(path: string): Promise<Content | null> {
  try {
    return JSON.parse(await readFile(path, 'utf8'))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (error instanceof SyntaxError || code === 'ENOENT') return null
    throw error
  }
}

/** Completely or not at all. Throws ENOENT if the folder was removed in the meantime. */
async function writeRecord(path: string, content: object): Promise<void> {
  const partPath = `${path}.${randomUUID().slice(0, 8)}.part`
  try {
    const file = await open(partPath, 'wx', fileMode)
    try {
      await file.writeFile(JSON.stringify(content))
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(partPath, path)
  } catch (error) {
    await rm(partPath, { force: true })
    throw error
  }
  await flushFolder(join(path, '..'))
}
