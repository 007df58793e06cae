// Decides where the embedded database's files are, and which account its server runs as. The files are in the data
// directory or, if that account cannot access it, in the system directory.

import { createHash } from 'node:crypto'
import { lstat, mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { makeOpenDirectory } from './embedded-binaries-copy.ts'
import { type CommandResult, canEnter, lastLines, type RunAs, runCommand } from './embedded-command.ts'
import { EmbeddedPostgresError, hasCode, ownDatabaseHint } from './embedded-error.ts'

/** The file in the data directory that names the database's location if it is elsewhere. */
export const pointerName = 'postgres-is-elsewhere.txt'

export interface DatabaseLocation {
  /** PostgreSQL's data directory; it may not exist yet. */
  pgData: string
  /** The server's account. */
  runAs: RunAs
  /** Where to write the pointer once the database exists; null if it is in the data directory. */
  pointer: string | null
}

/**
 * Returns the location of the database that belongs to `dataDir` (absolute). The most important rule: never create an
 * empty ledger where a full one existed, because that would issue everything a second time. An existing database is
 * used or refused; a new location is chosen only if there was no database before.
 * @throws EmbeddedPostgresError if no location can be used
 */
export async function findLocation(
  dataDir: string,
  systemDir: string,
  onNotice: (text: string) => void,
): Promise<DatabaseLocation> {
  const inDataDir = join(dataDir, 'postgres')
  if (await exists(inDataDir)) return { pgData: inDataDir, runAs: await ownerOf(inDataDir), pointer: null }
  const pointer = join(dataDir, pointerName)
  const pointedPath = await readPointer(pointer)
  if (pointedPath !== null) {
    if (!(await exists(pointedPath))) throw lostDatabase(pointedPath, pointer)
    return { pgData: pointedPath, runAs: await ownerOf(pointedPath), pointer: null }
  }
  await makeDataDir(dataDir)
  const runAs = await chooseAccount(onNotice)
  if (runAs === null || (await canEnter(dataDir, runAs))) return { pgData: inDataDir, runAs, pointer: null }
  return findSystemLocation(dataDir, systemDir, runAs)
}

async function findSystemLocation(dataDir: string, systemDir: string, runAs: RunAs): Promise<DatabaseLocation> {
  const home = join(systemDir, `data-${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}`)
  const pgData = join(home, 'postgres')
  const pointer = join(dataDir, pointerName)
  // A database without a pointer: the data directory was removed, or a process was killed before it wrote the pointer.
  if (await exists(pgData)) return { pgData, runAs: await ownerOf(pgData), pointer }
  await makeOpenDirectory(home).catch(() => undefined)
  if (await canEnter(home, runAs)) return { pgData, runAs, pointer }
  throw new EmbeddedPostgresError({
    what: `PostgreSQL refuses to run as root, and user id ${runAs?.uid} can enter neither the data directory nor ${home}`,
    where: dataDir,
    next: `choose a data directory that other users can enter (CREDSYNC_DATA_DIR), or run credsync as an ordinary user, or ${ownDatabaseHint}`,
  })
}

/** Writes a note into the data directory that records where the database is, and why. */
export async function writePointer(pointer: string, pgData: string): Promise<void> {
  const text = `The database of this directory is not here but in
${pgData}
because PostgreSQL refuses to run as root and the user it runs as can't enter this directory.
Back that directory up with this one, and in a container keep it on a volume too. Don't remove this file while that directory exists.
`
  await writeFile(pointer, text, { mode: 0o644 })
}

async function readPointer(pointer: string): Promise<string | null> {
  const text = await readFile(pointer, 'utf8').catch(nullWhenMissing)
  return text === null ? null : (text.split('\n')[1]?.trim() ?? '')
}

function lostDatabase(pgData: string, pointer: string): EmbeddedPostgresError {
  return new EmbeddedPostgresError({
    what: 'the database that belongs to this data directory is gone, and an empty database would issue every credential again',
    where: pgData || pointer,
    next: `restore it (is a volume missing?); remove ${pointer} only to start with an empty ledger`,
  })
}

async function exists(path: string): Promise<boolean> {
  return (await lstat(path).catch(nullWhenMissing)) !== null
}

/**
 * Only ENOENT means that the file is missing: treating "permission denied" the same way would create an empty ledger.
 */
function nullWhenMissing(cause: unknown): null {
  if (hasCode(cause, 'ENOENT')) return null
  throw new EmbeddedPostgresError({
    what: 'the data directory cannot be read',
    where: (cause as { path?: string }).path ?? 'unknown',
    next: `check who may enter it, or choose another directory (CREDSYNC_DATA_DIR), or ${ownDatabaseHint}`,
    cause,
  })
}

async function makeDataDir(dataDir: string): Promise<void> {
  await mkdir(dataDir, { recursive: true }).catch((cause) => {
    const next = `grant write permission there, or choose another directory (CREDSYNC_DATA_DIR), or ${ownDatabaseHint}`
    throw new EmbeddedPostgresError({ what: 'the data directory cannot be created', where: dataDir, next, cause })
  })
}

/** Existing data keeps its owner: under root the server runs as that user; an ordinary user must be the owner. */
async function ownerOf(pgData: string): Promise<RunAs> {
  const { uid, gid } = await stat(pgData)
  const ownUid = process.geteuid?.()
  const runAs = isRoot() ? { uid, gid } : null
  const fault = (what: string, next: string) => new EmbeddedPostgresError({ what, where: pgData, next })
  if (ownUid !== undefined && ownUid !== 0 && ownUid !== uid) {
    throw fault(
      `the database belongs to user id ${uid}, and this process runs as user id ${ownUid}`,
      `run as that user or as root, or ${ownDatabaseHint}`,
    )
  }
  if (runAs?.uid === 0) {
    throw fault(
      'the database directory belongs to root, and PostgreSQL refuses to run as root',
      'give the directory to an ordinary user (chown -R)',
    )
  }
  if (!(await canEnter(dirname(pgData), runAs))) {
    throw fault(
      `user id ${uid}, who owns the database, can't enter its parent directory`,
      'grant that user access (chmod o+x on each directory above)',
    )
  }
  return runAs
}

const passwdPath = '/etc/passwd'
const accountName = 'credsync'

/** Returns whether this process runs as root. PostgreSQL refuses to run as root, so it then needs another account. */
function isRoot(): boolean {
  return process.geteuid?.() === 0
}

/**
 * Finds the account called `name` in the text of a passwd file, or returns null. An account with root's id is never
 * returned, whatever its name.
 */
export function findAccount(passwd: string, name: string): RunAs {
  for (const line of passwd.split('\n')) {
    const fields = line.split(':')
    if (fields[0] !== name) continue
    const uid = Number.parseInt(fields[2] ?? '', 10)
    const gid = Number.parseInt(fields[3] ?? '', 10)
    if (uid > 0 && gid >= 0) return { uid, gid }
  }
  return null
}

/**
 * Returns the account for a new database: null (that of this process) unless this process runs as root. Under root, it
 * is `postgres`, or else `credsync`, which is created if missing.
 * @throws EmbeddedPostgresError if none can be created
 */
async function chooseAccount(onNotice: (text: string) => void): Promise<RunAs> {
  if (!isRoot()) return null
  const passwd = await readFile(passwdPath, 'utf8').catch(() => '')
  return findAccount(passwd, 'postgres') ?? findAccount(passwd, accountName) ?? (await createAccount(onNotice))
}

async function createAccount(onNotice: (text: string) => void): Promise<RunAs> {
  // useradd comes with shadow; the short options are BusyBox's adduser, the long ones Debian's.
  const commands: readonly [program: string, args: string][] = [
    ['useradd', `--system --user-group --no-create-home --home-dir /nonexistent --shell /bin/false ${accountName}`],
    ['adduser', `-S -D -H -h /nonexistent -s /bin/false ${accountName}`],
    ['adduser', `--system --group --no-create-home --home /nonexistent ${accountName}`],
  ]
  let lastResult: CommandResult = { code: null, output: '' }
  for (const [program, args] of commands) {
    lastResult = await runCommand(program, args.split(' '), null)
    // Checks the file instead of the exit code, because another process may have created the same account in the
    // meantime.
    const account = findAccount(await readFile(passwdPath, 'utf8').catch(() => ''), accountName)
    if (account === null) continue
    onNotice(`PostgreSQL refuses to run as root: it runs as the system user ${accountName}, which was created for it.`)
    return account
  }
  throw new EmbeddedPostgresError({
    what: 'PostgreSQL refuses to run as root, and no other account for it could be found or created',
    where: passwdPath,
    next: `run credsync as an ordinary user, or create a system user called ${accountName}, or ${ownDatabaseHint}`,
    lastLines: lastLines(lastResult.output),
  })
}
