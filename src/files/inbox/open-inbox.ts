// Lists the files of one inbox that are completely written, and takes them. Submitted files are only renamed, and never
// written to, copied or deleted. Touches only the file system.

import { randomBytes } from 'node:crypto'
import { constants, type Stats } from 'node:fs'
import { access, type FileHandle, lstat, open, readdir, rename, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Clock } from '#src/platform/time/clock.ts'
import { asInboxError, nullIfMissing } from './inbox-error.ts'
import { moveTakenFile } from './move-taken-file.ts'
import { originalName, takenName } from './taken-file-name.ts'
import { assertWorkerFolders, isHandedOver, isMatchingName, openWorkerFolder, subFolders } from './worker-folder.ts'
import { writeTextSafely } from './write-text-safely.ts'

export interface InboxOptions {
  /** An absolute path. */
  folder: string
  pattern: string
  settleMs: number
  /** The extension of marker files, or null if none are required. */
  marker: string | null
}

/** A file in `processing`, and the name under which it was submitted. */
export interface TakenFile {
  path: string
  name: string
}

export interface InboxReading {
  /** The names of files that may be taken, oldest first. */
  ready: string[]
  /** The number of files that are still being written or are waiting for their marker. */
  unready: number
  /** Files that are not taken: some never, others only once their marker arrives. */
  notTaken: FileNotTaken[]
  /** The reasons for those that no earlier scan has reported. */
  newReasons: WhyNotTaken[]
}

export interface FileNotTaken {
  name: string
  why: WhyNotTaken | 'no marker'
}

export type WhyNotTaken =
  | 'another name'
  | 'a folder'
  | 'a link'
  | 'two names'
  | 'no file'
  | 'not readable'
  | 'a name that is not UTF-8'

export interface Inbox {
  /** Lists the files of the inbox. Like every method, throws InboxError if the folder cannot be used. */
  scan(): Promise<InboxReading>
  /**
   * Moves a file, and its marker, to `processing`. Only one caller gets the file. Returns null to all others, and if
   * the file has changed since the last scan.
   */
  take(name: string): Promise<TakenFile | null>
  /** Lists all files in `processing`, oldest first. */
  listTaken(): Promise<TakenFile[]>
  /** Writes the page to outbox/NOT-TAKEN.txt, or removes the existing page if `page` is null. */
  writeNotTaken(page: string | null): Promise<void>
}

export function openInbox({ folder, pattern, settleMs, marker }: InboxOptions, clock: Clock): Inbox {
  const tracker = new SettleTracker(settleMs)
  const readyFiles = new Map<string, Stats>()
  let reported = new Set<string>()

  async function scan(): Promise<InboxReading> {
    await assertWorkerFolders(folder, subFolders)
    const names = await readdir(folder)
    const lowerNames = new Set(names.map((name) => name.toLowerCase()))
    const matching = new Set(names.filter((name) => isMatchingName(name, pattern, marker)))
    const reading: InboxReading = { ready: [], unready: 0, notTaken: [], newReasons: [] }
    const reportNotTaken = (name: string, why: WhyNotTaken) => {
      reading.notTaken.push({ name, why })
      if (!reported.has(name)) reading.newReasons.push(why)
    }
    readyFiles.clear()
    for (const name of matching) {
      const seen = await lstat(join(folder, name)).catch(() => null)
      const why = await whyNotTaken(join(folder, name), name, seen)
      if (why) reportNotTaken(name, why)
      else if (seen) {
        const settled = tracker.note(name, seen, clock.now().getTime(), clock.monotonicMs())
        const marked = marker === null || lowerNames.has((name + marker).toLowerCase())
        if (settled && marked) readyFiles.set(name, seen)
        else reading.unready++
        if (settled && !marked) reading.notTaken.push({ name, why: 'no marker' })
      }
    }
    for (const name of names)
      if (isHandedOver(name, marker) && !matching.has(name) && (await isFile(join(folder, name))))
        reportNotTaken(name, 'another name')
    reported = new Set(reading.notTaken.map(({ name }) => name))
    tracker.keepOnly(matching)
    reading.ready = [...readyFiles]
      .sort(([a, one], [b, other]) => one.mtimeMs - other.mtimeMs || (a < b ? -1 : 1))
      .map(([name]) => name)
    return reading
  }

  async function take(name: string): Promise<TakenFile | null> {
    const from = join(folder, name)
    const seen = readyFiles.get(name)
    const file = seen ? await openPlain(from) : null
    if (!file) return null
    try {
      // Checked again, because the file may have changed since the scan: a changed size shows that it is still being
      // written.
      const current = await file.stat()
      if (!seen || !isSameState(seen, current) || !current.isFile() || current.nlink > 1) return null
      await using processing = await openWorkerFolder(folder, 'processing')
      const taken = takenName(name, clock.now(), randomBytes(4).toString('hex'))
      const to = processing.pathOf(taken)
      // Only one process can rename the file successfully; for any other the name no longer exists.
      if ((await nullIfMissing(rename(from, to).then(() => true))) === null) return null
      const path = join(processing.path, taken)
      const moved = await lstat(to)
      if (moved.ino !== current.ino || moved.dev !== current.dev) {
        await moveTakenFile(path, 'refused', { sentence: replacementRefused, marker })
        return null
      }
      if (marker !== null) await moveMarker(folder, name + marker, to + marker)
      return { path, name: originalName(taken) ?? name }
    } finally {
      await file.close()
    }
  }

  async function listTaken(): Promise<TakenFile[]> {
    await using processing = await openWorkerFolder(folder, 'processing')
    const names = (await readdir(processing.pathOf('.'))).sort()
    const files = names.flatMap((file) => {
      const name = originalName(file)
      return name !== null && !isMarkerOf(file, names) ? [{ path: join(processing.path, file), name }] : []
    })
    if (marker !== null)
      for (const { path, name } of files) await recoverMarker(processing.pathOf(basename(path)), name, marker)
    return files
  }

  /**
   * Moves a marker whose file was already taken. A kill between the two renames leaves it in the inbox, where it would
   * announce the next file of that name.
   */
  async function recoverMarker(path: string, name: string, ending: string): Promise<void> {
    if ((await nullIfMissing(lstat(path + ending))) || (await nullIfMissing(lstat(join(folder, name))))) return
    await moveMarker(folder, name + ending, path + ending)
  }

  return {
    scan: () => asInboxError(folder, scan),
    take: (name) => asInboxError(folder, () => take(name)),
    listTaken: () => asInboxError(folder, listTaken),
    writeNotTaken: (page) => asInboxError(folder, () => writeNotTaken(folder, page)),
  }
}

const notTakenFile = 'NOT-TAKEN.txt'
const replacementRefused =
  'This file replaced another file at the moment when that file was taken, so this file was not read. Drop this file into the inbox again, under a name that no other file uses.'

/** Writes the page only if it has changed: a new file time every minute would look like a change. */
async function writeNotTaken(folder: string, page: string | null): Promise<void> {
  if (page === null && !(await nullIfMissing(lstat(join(folder, 'outbox'))))) return
  await using outbox = await openWorkerFolder(folder, 'outbox')
  const path = outbox.pathOf(notTakenFile)
  // A folder of that name was not created by the worker, so it stays.
  if (page === null) {
    if (!(await nullIfMissing(lstat(path)))?.isDirectory()) await rm(path, { force: true })
    return
  }
  const afterDate = (text: string) => text.slice(text.indexOf('\n'))
  const before = await readPlain(path)
  if (before !== null && afterDate(before) === afterDate(page)) return
  await writeTextSafely(outbox, notTakenFile, { text: page, mode: outbox.fileMode })
}

// Does not follow links, and does not block on pipes. Windows has neither these flags nor the problems that they
// prevent.
const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants

/** Opens a file for reading. @returns null if it is missing, a link or a socket, or not readable */
function openPlain(path: string): Promise<FileHandle | null> {
  return open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch((error: NodeJS.ErrnoException) => {
    // The codes for a missing file, a link (POSIX and FreeBSD), a socket, and a file without read permission.
    if (['ENOENT', 'ELOOP', 'EMLINK', 'ENXIO', 'EACCES'].includes(error.code ?? '')) return null
    throw error
  })
}

async function readPlain(path: string): Promise<string | null> {
  const file = await openPlain(path)
  try {
    return (await file?.stat())?.isFile() ? ((await file?.readFile('utf8')) ?? null) : null
  } finally {
    await file?.close()
  }
}

/** Moves a marker, whose name may differ in case from the expected one. Its new name has the expected case. */
async function moveMarker(folder: string, name: string, to: string): Promise<void> {
  const found = (await readdir(folder)).find((each) => each.toLowerCase() === name.toLowerCase())
  if (found !== undefined) await nullIfMissing(rename(join(folder, found), to))
}

async function isFile(path: string): Promise<boolean> {
  return (await nullIfMissing(lstat(path)))?.isFile() ?? false
}

async function whyNotTaken(path: string, name: string, seen: Stats | null): Promise<WhyNotTaken | null> {
  if (name.includes('\uFFFD')) return 'a name that is not UTF-8'
  if (!seen) return null
  if (seen.isDirectory()) return 'a folder'
  // A link could point anywhere.
  if (seen.isSymbolicLink()) return 'a link'
  if (!seen.isFile()) return 'no file'
  // A hard link may point to a file that the person who created the link cannot read.
  if (seen.nlink > 1) return 'two names'
  return access(path, constants.R_OK).then(
    () => null,
    (error: NodeJS.ErrnoException) => (error.code === 'ENOENT' ? null : 'not readable'),
  )
}

/** Returns true if the name is the name of another file plus an extension, as markers have. */
function isMarkerOf(file: string, names: readonly string[]): boolean {
  return names.some((other) => other.length < file.length && file.startsWith(other))
}

type FileState = Pick<Stats, 'size' | 'mtimeMs' | 'ino'>

/**
 * Remembers in memory the size, time and inode of each file at earlier scans of an inbox: a file that stays the same
 * has settled, so it is completely written.
 */
export class SettleTracker {
  readonly #settleMs: number
  #seen = new Map<string, { state: FileState; sinceMs: number }>()

  constructor(settleMs: number) {
    this.#settleMs = settleMs
  }

  /**
   * Records the state of a file. Returns true if it has settled: unchanged between two scans far enough apart, or last
   * written long enough ago. A time in the future settles nothing, because the clocks may differ.
   * @param nowMs the wall clock
   * @param monotonicMs the monotonic clock
   */
  note(name: string, state: FileState, nowMs: number, monotonicMs: number): boolean {
    const before = this.#seen.get(name)
    const sinceMs = before && isSameState(before.state, state) ? before.sinceMs : monotonicMs
    this.#seen.set(name, { state, sinceMs })
    return monotonicMs - sinceMs >= this.#settleMs || nowMs - state.mtimeMs >= this.#settleMs
  }

  /** Forgets files that no longer exist, so that a new file of the same name starts from the beginning. */
  keepOnly(names: Iterable<string>): void {
    const kept = new Set(names)
    for (const name of this.#seen.keys()) if (!kept.has(name)) this.#seen.delete(name)
  }
}

function isSameState(one: FileState, other: FileState): boolean {
  return one.size === other.size && one.mtimeMs === other.mtimeMs && one.ino === other.ino
}
