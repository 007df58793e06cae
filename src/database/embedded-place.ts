// Where the database's files lie: in the data directory, or, when the server's account can't get there, in the system's.
//
// The rule above all others here: never an empty ledger where there was a full one, for that would issue everything
// a second time. What exists is used or refused; a new place is chosen only where nothing was before.

import { createHash } from 'node:crypto'
import { lstat, mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { chooseAccount, isRoot } from './embedded-account.ts'
import { makeOpenDirectory } from './embedded-binaries-copy.ts'
import { canEnter, type RunAs } from './embedded-command.ts'
import { EmbeddedPostgresError, hasCode, useYourOwn } from './embedded-error.ts'

/** The file in the data directory that says where the database is, when it is elsewhere. */
export const pointerName = 'postgres-is-elsewhere.txt'

export interface Place {
  /** PostgreSQL's data directory; it may not exist yet. */
  pgData: string
  /** The server's account. */
  runAs: RunAs
  /** Where the pointer goes once the database exists there; null when it lies in the data directory. */
  pointer: string | null
}

/** The place of the database of `dataDir` (absolute). Rejects with EmbeddedPostgresError when there can be none. */
export async function findPlace(dataDir: string, systemDir: string, onNotice: (text: string) => void): Promise<Place> {
  const inPlace = join(dataDir, 'postgres')
  if (await exists(inPlace)) return { pgData: inPlace, runAs: await ownerOf(inPlace), pointer: null }
  const pointer = join(dataDir, pointerName)
  const pointed = await readPointer(pointer)
  if (pointed !== null) {
    if (!(await exists(pointed))) throw lostDatabase(pointed, pointer)
    return { pgData: pointed, runAs: await ownerOf(pointed), pointer: null }
  }
  await makeDataDir(dataDir)
  const runAs = await chooseAccount(onNotice)
  if (runAs === null || (await canEnter(dataDir, runAs))) return { pgData: inPlace, runAs, pointer: null }
  return findSystemPlace(dataDir, systemDir, runAs)
}

async function findSystemPlace(dataDir: string, systemDir: string, runAs: RunAs): Promise<Place> {
  const home = join(systemDir, `data-${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}`)
  const pgData = join(home, 'postgres')
  const pointer = join(dataDir, pointerName)
  // There without a pointer: the data directory was removed, or we were killed before the pointer was written.
  if (await exists(pgData)) return { pgData, runAs: await ownerOf(pgData), pointer }
  await makeOpenDirectory(home).catch(() => undefined)
  if (await canEnter(home, runAs)) return { pgData, runAs, pointer }
  throw new EmbeddedPostgresError({
    what: `PostgreSQL refuses to run as root, and user id ${runAs?.uid} can enter neither the data directory nor ${home}`,
    where: dataDir,
    next: `choose a data directory that other users can enter (CREDSYNC_DATA_DIR), or run credsync as an ordinary user, or ${useYourOwn}`,
  })
}

/** Leaves the note in the data directory that says where the database is, and why. */
export async function writePointer(pointer: string, pgData: string): Promise<void> {
  const text = `The database of this directory is not here but in
${pgData}
because PostgreSQL refuses to run as root and the user it runs as can't enter this directory.
Back that directory up with this one, and in a container keep it on a volume too. Don't remove this file while it exists.
`
  await writeFile(pointer, text, { mode: 0o644 })
}

async function readPointer(pointer: string): Promise<string | null> {
  const text = await readFile(pointer, 'utf8').catch(nullWhenMissing)
  return text === null ? null : (text.split('\n')[1]?.trim() ?? '')
}

function lostDatabase(pgData: string, pointer: string): EmbeddedPostgresError {
  return new EmbeddedPostgresError({
    what: 'the database that belongs to this data directory is gone, and an empty one would issue everything again',
    where: pgData || pointer,
    next: `bring it back (is a volume missing?); only to begin with an empty ledger remove ${pointer}`,
  })
}

async function exists(path: string): Promise<boolean> {
  return (await lstat(path).catch(nullWhenMissing)) !== null
}

/** Only "there is none" means that there is none: taking "not allowed to look" for it would begin an empty ledger. */
function nullWhenMissing(cause: unknown): null {
  if (hasCode(cause, 'ENOENT')) return null
  throw new EmbeddedPostgresError({
    what: 'the data directory can not be read',
    where: (cause as { path?: string }).path ?? 'unknown',
    next: `check who may enter it, or choose another (CREDSYNC_DATA_DIR), or ${useYourOwn}`,
    cause,
  })
}

async function makeDataDir(dataDir: string): Promise<void> {
  await mkdir(dataDir, { recursive: true }).catch((cause) => {
    const next = `give write permission there, or choose another (CREDSYNC_DATA_DIR), or ${useYourOwn}`
    throw new EmbeddedPostgresError({ what: 'the data directory can not be made', where: dataDir, next, cause })
  })
}

/** Existing data keeps its owner: under root the server runs as that user; an ordinary user must be it. */
async function ownerOf(pgData: string): Promise<RunAs> {
  const { uid, gid } = await stat(pgData)
  const us = process.geteuid?.()
  const runAs = isRoot() ? { uid, gid } : null
  const fault = (what: string, next: string) => new EmbeddedPostgresError({ what, where: pgData, next })
  if (us !== undefined && us !== 0 && us !== uid) {
    throw fault(
      `the database belongs to user id ${uid}, and this is user id ${us}`,
      `run as that user or as root, or ${useYourOwn}`,
    )
  }
  if (runAs?.uid === 0) {
    throw fault(
      'the database directory belongs to root, as whom PostgreSQL refuses to run',
      'give it to an ordinary user (chown -R)',
    )
  }
  if (!(await canEnter(dirname(pgData), runAs))) {
    throw fault(
      `user id ${uid}, who owns the database, can't enter its parent directory`,
      'let that user in (chmod o+x on each directory above)',
    )
  }
  return runAs
}
