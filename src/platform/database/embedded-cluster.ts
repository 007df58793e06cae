// Creates the data directory of the embedded database once, in one atomic step, with its password inside.

import type { randomBytes } from 'node:crypto'
import { chown, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Clock } from '#src/platform/time/clock.ts'
import type { Binaries } from './embedded-binaries.ts'
import { lastLines, type RunAs, runCommand } from './embedded-command.ts'
import { EmbeddedPostgresError, hasCode, ownDatabaseHint } from './embedded-error.ts'
import { defaultSettings, superuser } from './embedded-settings.ts'

/** The file is in the data directory itself, so that neither can be copied, restored or replaced without the other. */
const passwordName = 'credsync-password'
const workPrefix = 'postgres-new-'
const abandonedAfterMs = 10 * 60_000

export interface ClusterOptions {
  pgData: string
  runAs: RunAs
  binaries: Binaries
  clock: Clock
  random: typeof randomBytes
}

/**
 * Returns the password of the data directory, and creates the directory if it is missing. `created` is true if this
 * call created it.
 * @throws EmbeddedPostgresError if it cannot be created, or these programs cannot open it
 */
export async function ensureCluster(options: ClusterOptions): Promise<{ password: string; created: boolean }> {
  const { pgData, binaries } = options
  let created = false
  if (await isMissing(pgData)) created = await createCluster(options)
  const fault = (what: string, next: string) => new EmbeddedPostgresError({ what, where: pgData, next })
  const version = await readFile(join(pgData, 'PG_VERSION'), 'utf8').catch(() => null)
  if (version === null) {
    throw fault(
      'this directory is not a PostgreSQL data directory',
      `restore it from a backup, or move it away, or ${ownDatabaseHint}`,
    )
  }
  if (Number.parseInt(version, 10) !== binaries.major) {
    throw fault(
      `the data is from PostgreSQL ${version.trim()}, the programs are PostgreSQL ${binaries.major}`,
      `install the credsync version that created this directory and dump the database with it, or ${ownDatabaseHint}`,
    )
  }
  const password = await readFile(join(pgData, passwordName), 'utf8').catch(() => null)
  if (password === null)
    throw fault(`the file ${passwordName} in this directory is missing or can't be read`, 'restore it from a backup')
  return { password: password.trim(), created }
}

/**
 * Creates the data directory under a different name and renames it: a killed initdb leaves nothing that looks like a
 * database, and if two processes do this at the same time, the result is entirely from one of them.
 * @returns whether the data directory was created by this call
 */
async function createCluster({ pgData, runAs, binaries, clock, random }: ClusterOptions): Promise<boolean> {
  const parentDir = dirname(pgData)
  await removeAbandoned(parentDir, clock)
  const workDir = join(parentDir, `${workPrefix}${random(8).toString('hex')}`)
  const newData = join(workDir, 'data')
  const passwordFile = join(workDir, passwordName)
  try {
    await mkdir(workDir, { mode: 0o700 })
    await writeFile(passwordFile, `${random(24).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' })
    if (runAs) for (const path of [workDir, passwordFile]) await chown(path, runAs.uid, runAs.gid)
    const args = ['-D', newData, '--username', superuser, '--pwfile', passwordFile, '--auth', 'scram-sha-256']
    args.push('--encoding', 'UTF8', '--locale', 'C', '--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8')
    args.push(...defaultSettings.flatMap((setting) => ['-c', setting]))
    const result = await runCommand(join(binaries.bin, 'initdb'), args, runAs)
    if (result.code !== 0) throw initdbFault(result.output, pgData)
    await rename(passwordFile, join(newData, passwordName))
    await rename(newData, pgData)
    await syncDirectory(parentDir)
    return true
  } catch (cause) {
    if (hasCode(cause, 'ENOTEMPTY', 'EEXIST')) return false
    if (cause instanceof EmbeddedPostgresError) throw cause
    throw new EmbeddedPostgresError({
      what: 'the database directory could not be created',
      where: pgData,
      next: `free up space or grant write permission there, or ${ownDatabaseHint}`,
      cause,
    })
  } finally {
    await rm(workDir, { recursive: true, force: true })
  }
}

function initdbFault(output: string, where: string): EmbeddedPostgresError {
  const lines = lastLines(output)
  // initdb looks up the account's name even if it is given another name for the database's superuser.
  if (/could not look up effective user ID/.test(output)) {
    const what = 'this process runs as a user id that has no entry in /etc/passwd, and PostgreSQL refuses that'
    return new EmbeddedPostgresError({
      what,
      where,
      next: `run as a user that has an entry, or ${ownDatabaseHint}`,
      lastLines: lines,
    })
  }
  const next = `follow the last line below (space, permissions and a file system with modes are needed), or ${ownDatabaseHint}`
  return new EmbeddedPostgresError({ what: 'initdb could not create the database', where, next, lastLines: lines })
}

/**
 * Removes the unfinished directories, about 40 MB each, that killed processes left. A directory that another process is
 * still creating is younger than the limit.
 */
async function removeAbandoned(home: string, clock: Clock): Promise<void> {
  for (const name of await readdir(home)) {
    if (!name.startsWith(workPrefix)) continue
    const path = join(home, name)
    const changed = await stat(path).catch(() => null)
    if (changed && clock.now().getTime() - changed.mtimeMs > abandonedAfterMs)
      await rm(path, { recursive: true, force: true })
  }
}

async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r')
  await handle.sync().finally(() => handle.close())
}

async function isMissing(pgData: string): Promise<boolean> {
  const names = await readdir(pgData).catch((error) => {
    if (hasCode(error, 'ENOENT')) return []
    throw new EmbeddedPostgresError({
      what: "the database directory can't be read",
      where: pgData,
      next: `check who owns it, or ${ownDatabaseHint}`,
      cause: error,
    })
  })
  return names.length === 0
}
