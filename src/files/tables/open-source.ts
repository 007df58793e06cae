// The entry point of this folder: opens a table file and streams its header and rows. A separate thread reads the file.

import { basename } from 'node:path'
import { type Clock, systemClock } from '#src/platform/time/clock.ts'
import type { MergedColumn, Source, SourceImage, SourceImages, SourceOptions, SourceRow } from './source.ts'
import { refusalsOf, toRefusal } from './source-error.ts'
import { type OpenFile, openSourceFile } from './source-file.ts'
import { sourceLimits } from './source-limits.ts'
import { openReadingThread, type ReadingThread } from './thread/reading-thread.ts'
import { openTimeLimit, type Wait } from './thread/time-limit.ts'

export type { SourceOptions } from './source.ts'

/**
 * Opens a CSV, XLSX or ZIP file, given by its path or already open, and reads up to the first row below the header. The
 * format is identified by the content, not by the name. Dispose of the source to close what was opened here; reading
 * all its batches closes it as well, unless it has images.
 * @throws SourceError if the file is not usable, or if reading it takes more time (measured by `clock`) or memory than
 * the limits allow
 */
export async function openSource(
  pathOrFile: string | OpenFile,
  options: SourceOptions = {},
  clock: Clock = systemClock,
): Promise<Source> {
  if (typeof pathOrFile !== 'string') return await openTable(pathOrFile, options, clock, async () => {})
  const file = await openSourceFile(pathOrFile, 'followed').catch((error) => {
    const { message } = error as Error
    throw toRefusal(error, refusalsOf(pathOrFile), 'unreadable', message)
  })
  return await openTable(file, options, clock, callOnce(file.close))
}

/** @param close called after the thread has ended */
async function openTable(
  file: OpenFile,
  options: SourceOptions,
  clock: Clock,
  close: () => Promise<void>,
): Promise<Source> {
  const { path } = file
  const refuse = refusalsOf(path)
  const reading = { limits: { ...sourceLimits, ...options.limits }, refuse }
  const opened = openReadingThread(file, options, reading)
  const thread = await opened.catch(async (error) => {
    await close()
    throw error
  })
  const end = async () => {
    await thread.end()
    await close()
  }
  const withTimeLimit = openTimeLimit(clock, reading, end)
  const wait: Wait = async (answer) => {
    thread.hold()
    try {
      return await withTimeLimit(answer)
    } finally {
      thread.letGo()
    }
  }
  try {
    const { images, ...table } = await wait(thread.ask('open'))
    return createSource(basename(path), table, images, { ...thread, end }, wait)
  } catch (error) {
    await end()
    throw error
  }
}

function callOnce(close: () => Promise<void>): () => Promise<void> {
  let closed: Promise<void> | undefined
  return () => {
    closed ??= close()
    return closed
  }
}

function createSource(
  name: string,
  table: Pick<Source, 'format' | 'header' | 'notices' | 'pictures'>,
  images: readonly SourceImage[] | null,
  thread: ReadingThread,
  wait: Wait,
): Source {
  const merged: MergedColumn[] = []
  return {
    name,
    ...table,
    merged,
    images: images && imagesOf(images, thread, wait),
    batches: () => readBatches({ notices: table.notices, merged }, images !== null, thread, wait),
    [Symbol.asyncDispose]: thread.end,
  }
}

/**
 * Reads one batch ahead while the previous one is processed. The thread then waits for the next request.
 * @param collected gets the notices and merged columns that are found while the rows are read
 * @param staysOpen whether the thread is still needed after the last batch
 */
async function* readBatches(
  collected: Pick<Source, 'notices' | 'merged'>,
  staysOpen: boolean,
  thread: ReadingThread,
  wait: Wait,
): AsyncGenerator<SourceRow[]> {
  try {
    let nextBatch = thread.ask('next')
    for (;;) {
      const { rows, notices, merged } = await wait(nextBatch)
      collected.notices.push(...notices)
      collected.merged.push(...merged)
      if (!rows) break
      nextBatch = thread.ask('next')
      yield JSON.parse(rows)
    }
  } finally {
    if (!staysOpen) await thread.end()
  }
}

function imagesOf(list: readonly SourceImage[], thread: ReadingThread, wait: Wait): SourceImages {
  return {
    list,
    async read(name) {
      const bytes = await wait(thread.ask('image', name))
      return Buffer.from(bytes.buffer)
    },
  }
}
