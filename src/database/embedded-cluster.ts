// The data directory of the embedded database: made once, in one step, with its password inside.

import type { randomBytes } from 'node:crypto'
import { chown, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Clock } from '#src/time/clock.ts'
import type { Binaries } from './embedded-binaries.ts'
import { lastLines, type RunAs, runCommand } from './embedded-command.ts'
import { EmbeddedPostgresError, hasCode, useYourOwn } from './embedded-error.ts'
import { superuser, tasteSettings } from './embedded-settings.ts'

/** In the data directory itself, so that the one can't be copied, restored or replaced without the other. */
const passwordName = 'credsync-password'
const workPrefix = 'postgres-new-'
const abandonedAfterMs = 10 * 60_000

export interface ClusterNeeds {
  pgData: string
  runAs: RunAs
  binaries: Binaries
  clock: Clock
  random: typeof randomBytes
}

/**
 * The password of the data directory, which is made first when there is none; `created` says whether it was.
 * Rejects with EmbeddedPostgresError when it can't be made, or is not one that these programs can open.
 */
export async function ensureCluster(needs: ClusterNeeds): Promise<{ password: string; created: boolean }> {
  const { pgData, binaries } = needs
  let created = false
  if (await isMissing(pgData)) created = await createCluster(needs)
  const fault = (what: string, next: string) => new EmbeddedPostgresError({ what, where: pgData, next })
  const version = await readFile(join(pgData, 'PG_VERSION'), 'utf8').catch(() => null)
  if (version === null) {
    throw fault(
      'this directory is not a PostgreSQL data directory',
      `restore it from a backup, or move it away, or ${useYourOwn}`,
    )
  }
  if (Number.parseInt(version, 10) !== binaries.major) {
    throw fault(
      `the data is from PostgreSQL ${version.trim()}, the programs are PostgreSQL ${binaries.major}`,
      `install the credsync version that made it and dump the database from there, or ${useYourOwn}`,
    )
  }
  const password = await readFile(join(pgData, passwordName), 'utf8').catch(() => null)
  if (password === null) throw fault(`its file ${passwordName} is missing or can't be read`, 'restore it from a backup')
  return { password: password.trim(), created }
}

/**
 * Makes the data directory under another name and renames it: a killed initdb leaves nothing that looks like a
 * database, and of two processes one wins whole. Answers whether ours did.
 */
async function createCluster({ pgData, runAs, binaries, clock, random }: ClusterNeeds): Promise<boolean> {
  const home = dirname(pgData)
  await removeAbandoned(home, clock)
  const work = join(home, `${workPrefix}${random(8).toString('hex')}`)
  const made = join(work, 'data')
  const passwordFile = join(work, passwordName)
  try {
    await mkdir(work, { mode: 0o700 })
    await writeFile(passwordFile, `${random(24).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' })
    if (runAs) for (const path of [work, passwordFile]) await chown(path, runAs.uid, runAs.gid)
    const args = ['-D', made, '--username', superuser, '--pwfile', passwordFile, '--auth', 'scram-sha-256']
    args.push('--encoding', 'UTF8', '--locale', 'C', '--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8')
    args.push(...tasteSettings.flatMap((setting) => ['-c', setting]))
    const ended = await runCommand(join(binaries.bin, 'initdb'), args, runAs)
    if (ended.code !== 0) throw initdbFault(ended.output, pgData)
    await rename(passwordFile, join(made, passwordName))
    await rename(made, pgData)
    await syncDirectory(home)
    return true
  } catch (cause) {
    if (hasCode(cause, 'ENOTEMPTY', 'EEXIST')) return false
    if (cause instanceof EmbeddedPostgresError) throw cause
    throw new EmbeddedPostgresError({
      what: 'the database directory could not be made',
      where: pgData,
      next: `make room or give write permission there, or ${useYourOwn}`,
      cause,
    })
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}

function initdbFault(output: string, where: string): EmbeddedPostgresError {
  const lines = lastLines(output)
  // initdb asks for the account's name even when it is told another for the database.
  if (/could not look up effective user ID/.test(output)) {
    const what = 'this process runs as a user id that has no entry in /etc/passwd, and PostgreSQL refuses that'
    return new EmbeddedPostgresError({
      what,
      where,
      next: `run as a user that has an entry, or ${useYourOwn}`,
      lastLines: lines,
    })
  }
  const next = `follow the last line below (space, permissions and a file system with modes are needed), or ${useYourOwn}`
  return new EmbeddedPostgresError({ what: 'initdb could not make the database', where, next, lastLines: lines })
}

/** A killed process leaves its half-made directory, some 40 MB: another's that is still being made is younger. */
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
      next: `check who owns it, or ${useYourOwn}`,
      cause: error,
    })
  })
  return names.length === 0
}
