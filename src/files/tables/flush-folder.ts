// Flushes a folder to disk, because a new file's content may be on disk before its name is.

import { open } from 'node:fs/promises'

/**
 * Makes the names in the folder durable. Some file systems refuse to flush a folder; a new name is then not guaranteed
 * to survive a crash. Never throws.
 */
export async function flushFolder(path: string): Promise<void> {
  const folder = await open(path).catch(() => null)
  await folder?.sync().catch(() => {})
  await folder?.close().catch(() => {})
}
