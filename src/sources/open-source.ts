// The door of this folder: a path goes in, a header and streamed rows come out. The reading itself is done by a thread.

import { basename } from 'node:path'
import { type Clock, systemClock } from '#src/time/clock.ts'
import { unpackRows } from './packed-rows.ts'
import { openPatience, type Wait } from './patience.ts'
import { type ReadingThread, startReadingThread } from './reading-thread.ts'
import type { MergedColumn, Source, SourceImage, SourceImages, SourceRow } from './source.ts'
import { type Refuse, refusalsOf } from './source-error.ts'
import { sourceLimits } from './source-limits.ts'
import type { SourceOptions } from './source-options.ts'

export type { SourceOptions } from './source-options.ts'

/**
 * Opens the CSV, XLSX or ZIP file at `path`, told apart by what is in it and not by its name, and reads as far as the
 * first row under the header. Dispose of the source to close the file; reading its batches to the end does so too, unless
 * it has images. Throws SourceError when the file is not one we can take, and when reading it takes more time, by `clock`,
 * or memory than the limits allow.
 */
export async function openSource(
  path: string,
  options: SourceOptions = {},
  clock: Clock = systemClock,
): Promise<Source> {
  const refuse = refusalsOf(path)
  const limits = { ...sourceLimits, ...options.limits }
  const thread = startReadingThread(path, options, limits, refuse)
  const patience = openPatience(clock, limits, refuse, thread.end)
  const wait: Wait = async (answer) => {
    thread.hold()
    try {
      return await patience(answer)
    } finally {
      thread.letGo()
    }
  }
  try {
    const { images, ...table } = await wait(thread.ask('open'))
    return sourceOf(basename(path), table, images, thread, wait, refuse)
  } catch (error) {
    await thread.end()
    throw error
  }
}

function sourceOf(
  name: string,
  table: Pick<Source, 'format' | 'header' | 'notices'>,
  images: readonly SourceImage[] | null,
  thread: ReadingThread,
  wait: Wait,
  refuse: Refuse,
): Source {
  const merged: MergedColumn[] = []
  let taken = false
  return {
    name,
    ...table,
    merged,
    images: images && imagesOf(images, thread, wait),
    batches() {
      if (taken) throw refuse('already-read', 'The rows were already read once. Open the file again.')
      taken = true
      return deal({ notices: table.notices, merged }, images !== null, thread, wait)
    },
    [Symbol.asyncDispose]: thread.end,
  }
}

/** One batch is read ahead while the one before is used, and not more: the thread waits to be asked. */
async function* deal(
  late: Pick<Source, 'notices' | 'merged'>,
  stays: boolean,
  thread: ReadingThread,
  wait: Wait,
): AsyncGenerator<SourceRow[]> {
  try {
    let ahead = thread.ask('next')
    for (;;) {
      const { rows, notices, merged } = await wait(ahead)
      late.notices.push(...notices)
      late.merged.push(...merged)
      if (!rows) break
      ahead = thread.ask('next')
      yield unpackRows(rows)
    }
  } finally {
    if (!stays) await thread.end()
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
