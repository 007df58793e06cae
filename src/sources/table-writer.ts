// Writes a table to a file, whole or not at all: rows go to a part file, which takes the real name only when complete.

import { once } from 'node:events'
import { createWriteStream, type WriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { finished } from 'node:stream/promises'
import { csvTable } from './csv-table.ts'
import { flushFolder } from './flush-folder.ts'
import { xlsxTable } from './xlsx-table.ts'

/** Where rows go. One call at a time; each `write` resolves when there is room for the next row. */
export interface TableWriter {
  /** Adds a row with as many cells as the header. Throws TableWriteError. */
  write(cells: string[]): Promise<void>
  /** Finishes the file and gives it its name, replacing one that is there. Throws TableWriteError, and then nothing is left. */
  close(): Promise<void>
  /** Throws the unfinished file away. Does nothing after `close`, so it can stand in a `finally`. */
  abort(): Promise<void>
}

/** One file format: rows in, bytes into a sink. */
export interface TableEncoder {
  write(cells: string[]): Promise<void>
  end(): Promise<void>
  abort(): void
}

/** A table file that could not be written; `cause` has the system's reason. */
export class TableWriteError extends Error {
  override readonly name = 'TableWriteError'
}

/**
 * Opens a table at `path` (its folder must exist) and writes the header. Until `close`, the rows are in `path + '.part'`,
 * readable by the owner only, or as `mode` says; a part file left by a killed process is replaced. One writer per path at a time.
 */
export async function openTableWriter(
  path: string,
  options: { format: 'csv' | 'xlsx'; separator?: string | undefined; header: string[]; mode?: number },
): Promise<TableWriter> {
  const width = options.header.length
  if (width === 0)
    throw new TableWriteError(`The table ${basename(path)} has no columns. Give it a header with at least one.`)
  const part = `${path}.part`
  await rm(part, { force: true })
  const failure = new AbortController()
  // wx: never through a link that somebody put there. flush: the bytes are on the disk before the rename shows them.
  const sink = createWriteStream(part, { flags: 'wx', mode: options.mode ?? 0o600, flush: true })
  const done = finished(sink)
  done.catch((error) => failure.abort(error))
  const { signal } = failure
  const encoder = options.format === 'csv' ? csvTable(sink, signal, options.separator) : xlsxTable(sink, signal)
  let state: 'open' | 'closed' | 'aborted' = 'open'

  const abort = async () => {
    if (state !== 'open') return
    state = 'aborted'
    sink.destroy()
    encoder.abort()
    await done.catch(() => {})
    await rm(part, { force: true })
  }
  const orGiveUp = async (step: () => Promise<void>) => {
    if (state !== 'open')
      throw new TableWriteError(`The table ${basename(path)} is ${state}: open a new one to write more.`)
    try {
      await step()
    } catch (error) {
      await abort()
      const cause = failure.signal.aborted ? failure.signal.reason : error
      const advice = 'Nothing was left behind: check that the folder is writable and has room, then write it again.'
      throw new TableWriteError(`The table ${basename(path)} could not be written (${codeOf(cause)}). ${advice}`, {
        cause,
      })
    }
  }
  const write = async (cells: string[]) => {
    if (cells.length !== width) {
      const counts = `${cells.length} cells, its header ${width}`
      throw new TableWriteError(
        `A row for ${basename(path)} has ${counts}. Pass a cell, empty if need be, for every column.`,
      )
    }
    await orGiveUp(() => encoder.write(cells))
  }
  const close = () =>
    orGiveUp(async () => {
      await encoder.end()
      await done
      await rename(part, path)
      state = 'closed'
      await flushFolder(dirname(path))
    })

  await orGiveUp(() => opened(sink))
  await write(options.header)
  return { write, close, abort }
}

/** Resolves when the file is there; rejects with the reason why it can't be. */
async function opened(sink: WriteStream): Promise<void> {
  if (sink.pending) await once(sink, 'ready')
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException | null)?.code ?? 'unknown reason'
}
