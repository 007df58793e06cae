// Keeps the high-water mark in one small file of the data directory. The file is replaced atomically, so it always
// contains either the old or the new mark.

import { randomUUID } from 'node:crypto'
import { open, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type HighWaterMark, isLaterMark } from '#src/domain/credential/high-water-mark.ts'
import { isOfSameLedger, type MarkKeeper, readMarks, type StoredMarks } from './keeper.ts'

/** Marks that are written together. `written` resolves to what the file would have contained before each of them. */
interface Group {
  marks: HighWaterMark[]
  written: Promise<StoredMarks[]>
}

export const markFile = (dataDir: string) => join(dataDir, 'ledger-mark.json')

/** @param makeFolder creates the data directory if it does not exist */
export function keepInFile(dataDir: string, makeFolder: () => Promise<void>): MarkKeeper {
  const path = markFile(dataDir)
  let queue: Promise<unknown> = Promise.resolve()
  /** Runs one write at a time: with two concurrent writes the older mark might be written last. */
  function enqueue<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = queue.then(work)
    queue = result.catch(() => {})
    return result
  }
  const write = async ({ marks }: StoredMarks) => {
    await makeFolder()
    await replaceDurably(path, `${JSON.stringify({ marks }, null, 2)}\n`)
  }
  let waiting: Group | null = null
  /**
   * Collects the marks of calls that wait for a write. The next write stores only the last of them, which covers the
   * others.
   */
  function openGroup(): Group {
    const marks: HighWaterMark[] = []
    const written = enqueue(async () => {
      waiting = null
      const stored = await readStored(path)
      let latest = stored
      const before = marks.map((mark) => {
        const earlier = latest
        latest = raised(earlier, mark)
        return earlier
      })
      if (latest !== stored) await write(latest)
      return before
    })
    return { marks, written }
  }
  return {
    where: `the file ${path}`,
    read: () => readStored(path),
    async raise(mark) {
      waiting ??= openGroup()
      const { marks, written } = waiting
      const position = marks.push(mark) - 1
      return (await written)[position] as StoredMarks
    },
    put(mark) {
      // Marks raised from now on are written after this one.
      waiting = null
      return enqueue(async () => write(withMark(await readStored(path), mark)))
    },
  }
}

/** Returns `stored` itself if its mark of this ledger is equal or higher, or if it is unreadable. */
function raised(stored: StoredMarks, mark: HighWaterMark): StoredMarks {
  const own = stored.marks.find((each) => isOfSameLedger(each, mark))
  return stored.isUnreadable || (own && !isLaterMark(mark, own)) ? stored : withMark(stored, mark)
}

function withMark({ marks }: StoredMarks, mark: HighWaterMark): StoredMarks {
  return { marks: [...marks.filter((each) => !isOfSameLedger(each, mark)), mark], isUnreadable: false }
}

/** Removes the file, for a ledger that was emptied on purpose. */
export async function removeMarks(dataDir: string): Promise<void> {
  await rm(markFile(dataDir), { force: true })
}

async function readStored(path: string): Promise<StoredMarks> {
  try {
    return readMarks(await readFile(path, 'utf8'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { marks: [], isUnreadable: false }
    throw error
  }
}

/** Replaces the file, and flushes the file and its directory entry to disk. */
async function replaceDurably(path: string, text: string): Promise<void> {
  // The name is unique, because two processes may share a folder and, in containers, have the same process id.
  const draft = `${path}.${randomUUID().slice(0, 8)}.new`
  // Readable for other accounts, because a command run by another account must be able to compare the mark with the
  // ledger. The file contains no personal data.
  await using file = await open(draft, 'wx', 0o644)
  await file.writeFile(text)
  await file.sync()
  await rename(draft, path)
  await using folder = await open(dirname(path), 'r')
  await folder.sync()
}
