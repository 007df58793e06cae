// Where results go: into the inbox that the file came from, where its owner looks, else into the data directory. File names are made of the
// source's name for people and the run's id for certainty; the source's name is only ever text, never a path.

import { open, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { asInboxError } from '#src/inbox/inbox-error.ts'
import { subFolder } from '#src/inbox/open-inbox.ts'
import type { Inboxes } from '#src/inbox/open-inboxes.ts'
import { makeFolders } from '#src/sources/make-folders.ts'
import { openTableWriter, type TableWriter } from '#src/sources/table-writer.ts'

/** What an outbox needs to know of a run. */
export interface ToldRun {
  id: string
  pipeline: string
  sourceName: string
  sourcePath: string
}

export interface Outbox {
  /**
   * Opens a table of the run. It replaces an earlier one of its kind when it is closed, and not before.
   * @throws TableWriteError; InboxError when its inbox is away; and what making the folder throws
   */
  open(
    run: ToldRun,
    table: { kind: 'results' | 'invalid'; format: 'csv' | 'xlsx'; separator?: string | undefined; header: string[] },
  ): Promise<TableWriter & { path: string }>
  /** Puts the text beside the tables of the run, in place of an earlier one. @throws InboxError; and what the file system says */
  summarize(run: ToldRun, text: string): Promise<void>
}

interface Folder {
  path: string
  /** Of its files. */
  mode: number
}

export function openOutbox(dataDir: string, inboxes: Pick<Inboxes, 'holding'>): Outbox {
  async function folderOf(run: ToldRun): Promise<Folder> {
    const inbox = await inboxes.holding(run)
    if (inbox) return asInboxError(inbox.folder, () => folderIn(inbox.folder))
    const path = join(dataDir, 'outbox')
    await makeFolders(path, 0o700)
    return { path, mode: 0o600 }
  }
  const nameOf = (run: ToldRun, ending: string) => `${safeName(run.sourceName)}.${run.id.slice(0, 8)}.${ending}`

  return {
    async open(run, { kind, format, separator, header }) {
      const folder = await folderOf(run)
      const path = join(folder.path, nameOf(run, `${kind}.${format}`))
      return { ...(await openTableWriter(path, { format, separator, header, mode: folder.mode })), path }
    },
    async summarize(run, text) {
      const folder = await folderOf(run)
      await replaceFile(join(folder.path, nameOf(run, 'summary.txt')), text, folder.mode)
    },
  }
}

/** As open as the inbox: the same people came from there. */
async function folderIn(inbox: string): Promise<Folder> {
  const path = await subFolder(inbox, 'outbox')
  const { mode } = await stat(inbox)
  return { path, mode: mode & 0o666 }
}

/** Whole or not at all. Never through a link that somebody put there. */
async function replaceFile(path: string, text: string, mode: number): Promise<void> {
  const part = `${path}.part`
  await rm(part, { force: true })
  const file = await open(part, 'wx', mode)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(part, path)
}

const mostNameBytes = 120

export function safeName(name: string): string {
  const plain = name
    .normalize('NFC')
    .replace(/\.[a-z0-9]{1,5}$/i, '')
    .replace(/[^\p{L}\p{N}._-]+/gu, '-')
    .replace(/^[.-]+/, '')
  return shortened(plain) || 'source'
}

/** File systems count bytes and take 255: a name of 80 Devanagari letters with our ending was too long. Never cuts a letter in two. */
function shortened(name: string): string {
  let kept = ''
  for (const letter of name) {
    if (Buffer.byteLength(kept + letter) > mostNameBytes) break
    kept += letter
  }
  return kept
}
