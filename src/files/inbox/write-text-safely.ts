// Writes a text file into a folder that other accounts can write to: completely or not at all, and never through a link
// that somebody created there.

import { randomUUID } from 'node:crypto'
import { open, rm } from 'node:fs/promises'
import { removeAbandonedParts } from '#src/platform/remove-abandoned-parts.ts'
import { renameOver } from '#src/platform/rename-over.ts'
import type { WorkerFolder } from './worker-folder.ts'

/**
 * Replaces anything of that name: a link itself, never what it points to; a folder is moved aside. Throws file system
 * errors.
 */
export async function writeTextSafely(
  { pathOf }: Pick<WorkerFolder, 'pathOf'>,
  name: string,
  { text, mode }: { text: string; mode: number },
): Promise<void> {
  const partName = `.${randomUUID()}.part`
  const partPath = pathOf(partName)
  try {
    const file = await open(partPath, 'wx', mode)
    try {
      await file.writeFile(text)
      await file.sync()
    } finally {
      await file.close()
    }
    await removeAbandonedParts(pathOf('.'), { ownName: partName })
    await renameOver(partPath, pathOf(name))
  } catch (error) {
    await rm(partPath, { force: true })
    throw error
  }
}
