// Writes result files into the folder `outbox`, in the inbox that the source came from or otherwise in the data
// directory. A file name combines the source's name, for readability, with the run's id, for uniqueness. The source's
// name is only ever used as text, never as a path.

import { join } from 'node:path'
import { asInboxError } from '#src/files/inbox/inbox-error.ts'
import type { Inboxes } from '#src/files/inbox/open-inboxes.ts'
import { openWorkerFolder, type WorkerFolder } from '#src/files/inbox/worker-folder.ts'
import { writeTextSafely } from '#src/files/inbox/write-text-safely.ts'
import { makeFolders } from '#src/files/tables/make-folders.ts'
import { openTableWriter, type TableWriter } from '#src/files/tables/table-writer.ts'
import { cutToBytes } from '#src/platform/text.ts'

/** The part of a run that the outbox needs. */
export interface ReportedRun {
  id: string
  pipeline: string
  sourceName: string
  sourcePath: string
}

export interface Outbox {
  /**
   * Opens a table of the run for writing. The table replaces an earlier one of the same kind only when it is closed.
   * @throws TableWriteError; InboxError if the inbox is unavailable; and any error from creating the folder
   */
  open(
    run: ReportedRun,
    table: {
      kind: 'results' | 'invalid' | 'waiting'
      format: 'csv' | 'xlsx'
      separator?: string | undefined
      header: string[]
    },
  ): Promise<TableWriter & { path: string }>
  /**
   * Writes the summary next to the tables of the run and replaces an earlier summary.
   * @throws InboxError; and any file system error
   */
  summarize(run: ReportedRun, text: string): Promise<void>
  /**
   * Returns the path of the folder for the files of the run. Creates nothing.
   * @throws InboxError if the inbox is unavailable
   */
  pathFor(run: ReportedRun): Promise<string>
}

export function openOutbox(dataDir: string, inboxes: Pick<Inboxes, 'inboxOf'>): Outbox {
  async function folderOf(run: ReportedRun): Promise<WorkerFolder> {
    const inbox = await inboxes.inboxOf(run)
    if (inbox) return asInboxError(inbox.folder, () => openWorkerFolder(inbox.folder, 'outbox'))
    const path = join(dataDir, 'outbox')
    await makeFolders(path, 0o700)
    return { path, fileMode: 0o600, pathOf: (name) => join(path, name), async [Symbol.asyncDispose]() {} }
  }
  return {
    async open(run, { kind, format, separator, header }) {
      const folder = await folderOf(run)
      const closeFolder = () => folder[Symbol.asyncDispose]()
      const name = reportName(run, `${kind}.${format}`)
      const options = { format, separator, header, mode: folder.fileMode }
      const table = await openTableWriter(folder.pathOf(name), options).catch(async (error) => {
        await closeFolder()
        throw error
      })
      return {
        ...table,
        path: join(folder.path, name),
        close: () => table.close().finally(closeFolder),
        abort: () => table.abort().finally(closeFolder),
      }
    },
    async summarize(run, text) {
      await using folder = await folderOf(run)
      await writeTextSafely(folder, reportName(run, 'summary.txt'), { text, mode: folder.fileMode })
    },
    pathFor: async (run) => join((await inboxes.inboxOf(run))?.folder ?? dataDir, 'outbox'),
  }
}

/** File systems limit names to 255 bytes, which 80 Devanagari letters with a suffix already exceed. */
const maxNameBytes = 120

/** Returns the name of a file of the run, such as `people.0a1b2c3d.summary.txt`. Pure. */
export function reportName(run: Pick<ReportedRun, 'id' | 'sourceName'>, suffix: string): string {
  return `${safeFileName(run.sourceName)}.${run.id.slice(0, 8)}.${suffix}`
}

/** Converts a source's name into a name that is safe in any file system, without the extension. Pure. */
export function safeFileName(name: string): string {
  const safeName = name
    .normalize('NFC')
    .replace(/\.[a-z0-9]{1,5}$/i, '')
    .replace(/[^\p{L}\p{N}._-]+/gu, '-')
    .replace(/^[.-]+/, '')
  return cutToBytes(safeName, maxNameBytes) || 'source'
}
