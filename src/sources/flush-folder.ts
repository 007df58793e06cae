// Makes the names in a folder durable: a new file's content may be on the disk before its name is.

import { open } from 'node:fs/promises'

/** Some file systems refuse to flush a folder: then the file is whole, only its name is not sure yet. Throws nothing. */
export async function flushFolder(path: string): Promise<void> {
  const folder = await open(path).catch(() => null)
  await folder?.sync().catch(() => {})
  await folder?.close().catch(() => {})
}
