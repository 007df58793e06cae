// Writes a table to a file, completely or not at all: rows are written to a part file, which gets its final name only
// when it is complete.

import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream, type WriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { finished } from 'node:stream/promises'
import { removeAbandonedParts } from '#src/platform/remove-abandoned-parts.ts'
import { renameOver } from '#src/platform/rename-over.ts'
import { csvTable } from './csv-table.ts'
import { flushFolder } from './make-folders.ts'
import type { TableCell } from './table-cell.ts'

/**
 * Writes the rows of one table. Wait for each `write` before the next call; it resolves when the next row can be
 * buffered.
 */
export interface TableWriter {
  /** Adds a row with as many cells as the header. @throws TableWriteError */
  write(cells: readonly TableCell[]): Promise<void>
  /**
   * Finishes the file and gives it its name, replacing an existing file; a folder of that name is moved aside.
   * @throws TableWriteError; then nothing is left behind
   */
  close(): Promise<void>
  /** Discards the unfinished file. Does nothing after `close`, so it can be called in a `finally`. */
  abort(): Promise<void>
}

/** Thrown if the table file could not be written; `cause` has the system's reason. */
export class TableWriteError extends Error {
  override readonly name = 'TableWriteError'
}

/**
 * Opens a table at `path` (its folder must exist) and writes the header. Until `close`, the rows are in a file in the
 * same folder that ends in `.part`, with `mode` or readable only by the owner. Removes old part files of killed
 * processes. Only one writer may use a path at a time.
 */
export async function openTableWriter(
  path: string,
  options: { format: 'csv' | 'xlsx'; separator?: string | undefined; header: string[]; mode?: number },
): Promise<TableWriter> {
  const width = options.header.length
  if (width === 0)
    throw new TableWriteError(
      `The table ${basename(path)} has no columns. Give the table a header with at least one column.`,
    )
  const { xlsxTable } = options.format === 'xlsx' ? await import('./xlsx-table.ts') : { xlsxTable: null }
  // An unpredictable name, because anyone who may write to the folder could create a predictable one first.
  const part = `${path}.${randomUUID().slice(0, 8)}.part`
  const failure = new AbortController()
  // wx: never writes through a link that somebody created. flush: the bytes are on disk before the rename makes the
  // file visible.
  const sink = createWriteStream(part, { flags: 'wx', mode: options.mode ?? 0o600, flush: true })
  const sinkFinished = finished(sink)
  sinkFinished.catch((error) => failure.abort(error))
  const { signal } = failure
  const encoder = xlsxTable?.(sink, signal) ?? csvTable(sink, signal, options.separator)
  let state: 'open' | 'closed' | 'aborted' = 'open'

  const abort = async () => {
    if (state !== 'open') return
    state = 'aborted'
    sink.destroy()
    encoder.abort()
    await sinkFinished.catch(() => {})
    await rm(part, { force: true })
  }
  const runOrAbort = async (step: () => Promise<void>) => {
    if (state !== 'open')
      throw new TableWriteError(`The table ${basename(path)} is ${state}: open a new one to write more.`)
    try {
      await step()
    } catch (error) {
      await abort()
      const cause = failure.signal.aborted ? failure.signal.reason : error
      const advice =
        'Nothing was left behind: check that the folder is writable and has free space, then write it again.'
      throw new TableWriteError(`The table ${basename(path)} could not be written (${codeOf(cause)}). ${advice}`, {
        cause,
      })
    }
  }
  const write = async (cells: readonly TableCell[]) => {
    if (cells.length !== width) {
      const counts = `${cells.length} cells, its header ${width}`
      throw new TableWriteError(
        `A row for ${basename(path)} has ${counts}. Pass a cell for every column, empty if necessary.`,
      )
    }
    await runOrAbort(() => encoder.write(cells))
  }
  const close = () =>
    runOrAbort(async () => {
      await encoder.end()
      await sinkFinished
      await renameOver(part, path)
      state = 'closed'
      await flushFolder(dirname(path))
    })

  await runOrAbort(() => waitUntilOpen(sink))
  await removeAbandonedParts(dirname(path), { ownName: basename(part), prefix: basename(path) })
  await write(options.header)
  return { write, close, abort }
}

/** Resolves when the file exists; rejects with the reason if it cannot be created. */
async function waitUntilOpen(sink: WriteStream): Promise<void> {
  if (sink.pending) await once(sink, 'ready')
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException | null)?.code ?? 'unknown reason'
}
