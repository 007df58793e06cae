// One inbox: what lies in it, and taking it. Files that were handed over are renamed, and never written to, copied or deleted.

import { randomBytes } from 'node:crypto'
import { constants, type Stats } from 'node:fs'
import { access, lstat, mkdir, readdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '#src/time/clock.ts'
import { isFittingName, isHandedOver, type subFolders } from './fitting-name.ts'
import { asInboxError } from './inbox-error.ts'
import { isSame, Sightings } from './sightings.ts'
import { nameBefore, takenName } from './taken-name.ts'

export interface InboxSettings {
  /** Absolute. */
  folder: string
  pattern: string
  settleMs: number
  /** The ending of marker files, or null where none is asked for. */
  marker: string | null
}

/** A file in processing, and the name under which it was handed over. */
export interface TakenFile {
  path: string
  name: string
}

export interface Looked {
  /** Settled, the oldest first. */
  ready: string[]
  /** How many are still being written, or wait for their marker. */
  unready: number
  /** What lies there and is not taken: never, or not before its marker has come. */
  left: LeftFile[]
  /** Reasons of those that were not told before. */
  strange: Strange[]
}

export interface LeftFile {
  name: string
  why: Strange | 'no marker'
}

export type Strange = 'another name' | 'a folder' | 'a link' | 'no file' | 'not readable' | 'a name that is not UTF-8'

export interface Inbox {
  /** Every verb throws InboxError when the folder cannot be used. */
  look(): Promise<Looked>
  /** Brings a file, and its marker, into processing. One caller gets it; null for any other, and when it has changed since the look. */
  take(name: string): Promise<TakenFile | null>
  /** Everything that lies in processing, the oldest first. */
  taken(): Promise<TakenFile[]>
  /** Puts the page into outbox/NOT-TAKEN.txt, or takes an earlier one away where there is nothing to say. */
  tellLeft(page: string | null): Promise<void>
}

export function openInbox({ folder, pattern, settleMs, marker }: InboxSettings, clock: Clock): Inbox {
  const sightings = new Sightings(settleMs)
  const looks = new Map<string, Stats>()
  let told = new Set<string>()

  async function look(): Promise<Looked> {
    const names = await readdir(folder)
    const there = new Set(names.map((name) => name.toLowerCase()))
    const fitting = new Set(names.filter((name) => isFittingName(name, pattern, marker)))
    const found: Looked = { ready: [], unready: 0, left: [], strange: [] }
    const leave = (name: string, why: Strange) => {
      found.left.push({ name, why })
      if (!told.has(name)) found.strange.push(why)
    }
    looks.clear()
    for (const name of fitting) {
      const seen = await lstat(join(folder, name)).catch(() => null)
      const why = await whyStrange(join(folder, name), name, seen)
      if (why) leave(name, why)
      else if (seen) {
        const settled = sightings.note(name, seen, clock.now().getTime(), clock.monotonicMs())
        const marked = marker === null || there.has((name + marker).toLowerCase())
        if (settled && marked) looks.set(name, seen)
        else found.unready++
        if (settled && !marked) found.left.push({ name, why: 'no marker' })
      }
    }
    for (const name of names)
      if (isHandedOver(name, marker) && !fitting.has(name) && (await isFile(join(folder, name))))
        leave(name, 'another name')
    told = new Set(found.left.map(({ name }) => name))
    sightings.keepOnly(fitting)
    found.ready = [...looks]
      .sort(([a, one], [b, other]) => one.mtimeMs - other.mtimeMs || (a < b ? -1 : 1))
      .map(([name]) => name)
    return found
  }

  async function take(name: string): Promise<TakenFile | null> {
    const from = join(folder, name)
    const seen = looks.get(name)
    // The second look of two: what is being written right now shows itself by its size.
    const now = await unlessGone(lstat(from))
    if (!seen || !now || !isSame(seen, now) || !now.isFile()) return null
    const processing = await subFolder(folder, 'processing')
    const path = join(processing, takenName(name, clock.now(), randomBytes(4).toString('hex')))
    // Whoever renames it has it: the name is gone for everybody else.
    if ((await unlessGone(rename(from, path).then(() => true))) === null) return null
    if (marker !== null) await moveMarker(folder, name + marker, path + marker)
    return { path, name: nameBefore(path.slice(processing.length + 1)) ?? name }
  }

  async function taken(): Promise<TakenFile[]> {
    const processing = await subFolder(folder, 'processing')
    const names = (await readdir(processing)).sort()
    const files = names.flatMap((file) => {
      const name = nameBefore(file)
      return name !== null && !isMarkerOf(file, names) ? [{ path: join(processing, file), name }] : []
    })
    if (marker !== null) for (const file of files) await bringMarker(file, marker)
    return files
  }

  /** A kill between the two renames left it behind, where it would vouch for the next file of that name. */
  async function bringMarker({ path, name }: TakenFile, ending: string): Promise<void> {
    if ((await unlessGone(lstat(path + ending))) || (await unlessGone(lstat(join(folder, name))))) return
    await moveMarker(folder, name + ending, path + ending)
  }

  return {
    look: () => asInboxError(folder, look),
    take: (name) => asInboxError(folder, () => take(name)),
    taken: () => asInboxError(folder, taken),
    tellLeft: (page) => asInboxError(folder, () => tellLeft(folder, page)),
  }
}

/** Only when it has changed: a page that is written anew each minute looks like news. */
async function tellLeft(folder: string, page: string | null): Promise<void> {
  const path = join(folder, 'outbox', 'NOT-TAKEN.txt')
  if (page === null) return rm(path, { force: true })
  const afterDate = (text: string) => text.slice(text.indexOf('\n'))
  const before = await unlessGone(readFile(path, 'utf8'))
  if (before !== null && afterDate(before) === afterDate(page)) return
  await subFolder(folder, 'outbox')
  const { mode } = await stat(folder)
  await rm(path, { force: true })
  await writeFile(path, page, { flag: 'wx', mode: mode & 0o666 })
}

/** The path by which the ledger knows files is the true one, whatever link the settings go through. Made where it is missing. */
export async function subFolder(folder: string, name: (typeof subFolders)[number]): Promise<string> {
  const path = join(await realpath(folder), name)
  // As open as the inbox is: whoever may put a file in may see where it went.
  const { mode } = await stat(folder)
  await mkdir(path, { mode: mode & 0o777 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  return path
}

/** A marker may be written in other letters than its file: it stands under the expected name from then on. */
async function moveMarker(folder: string, name: string, to: string): Promise<void> {
  const found = (await readdir(folder)).find((each) => each.toLowerCase() === name.toLowerCase())
  if (found !== undefined) await unlessGone(rename(join(folder, found), to))
}

async function isFile(path: string): Promise<boolean> {
  return (await unlessGone(lstat(path)))?.isFile() ?? false
}

async function whyStrange(path: string, name: string, seen: Stats | null): Promise<Strange | null> {
  if (name.includes('\uFFFD')) return 'a name that is not UTF-8'
  if (!seen) return null
  if (seen.isDirectory()) return 'a folder'
  // A link could lead anywhere.
  if (seen.isSymbolicLink()) return 'a link'
  if (!seen.isFile()) return 'no file'
  return access(path, constants.R_OK).then(
    () => null,
    (error: NodeJS.ErrnoException) => (error.code === 'ENOENT' ? null : 'not readable'),
  )
}

/** A file that is called like another one of ours with something behind it is its marker. */
function isMarkerOf(file: string, names: readonly string[]): boolean {
  return names.some((other) => other.length < file.length && file.startsWith(other))
}

/** Null when the file is not there (any more). */
export function unlessGone<Result>(doing: Promise<Result>): Promise<Result | null> {
  return doing.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
}
