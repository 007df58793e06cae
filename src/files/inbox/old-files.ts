// Finds and removes old files in a folder that belongs to the worker. Only files whose names the worker made are found:
// they contain the beginning of the id of their run.

import { readdir, rm } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { takenFileId } from './taken-name.ts'
import type { SubFolder } from './worker-folder.ts'
import { openWorkerFolder } from './worker-folder.ts'

const reportPattern = /\.([0-9a-f]{8})\.(?:(?:results|invalid|waiting)\.(?:csv|xlsx)|summary\.txt)$/

/** @returns the beginning of the run's id in the name of a taken file, its reason or marker, or of a report; or null */
function runPrefixOf(name: string): string | null {
  return takenFileId(name) ?? reportPattern.exec(name)?.[1] ?? null
}

/** Lists the files of runs in a folder, by the beginning of the run's id. Empty if there is no such folder. */
export async function filesByRun(folder: string): Promise<Map<string, string[]>> {
  const files = new Map<string, string[]>()
  for (const name of (await readdir(folder).catch(() => [])).sort()) {
    const prefix = runPrefixOf(name)
    if (prefix !== null) files.set(prefix, [...(files.get(prefix) ?? []), name])
  }
  return files
}

/** Removes files of a worker's folder, never through a link. Throws InboxError, and file system errors. */
export async function removeOldFiles(folder: string, names: readonly string[]): Promise<void> {
  await using opened = await openWorkerFolder(dirname(folder), basename(folder) as SubFolder)
  for (const name of names) await rm(opened.pathOf(name), { force: true })
}
