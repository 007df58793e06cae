// Measures the free space of a disk, and recognizes errors caused by a full disk. Reads the file system.

import { statfs } from 'node:fs/promises'

/** The space to leave free, because the ledger may be on the same disk. With less, the next daily run may fail. */
export const keptFreeBytes = 256 * 1024 * 1024

export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

/**
 * Whether an error, or its cause, shows that the disk is full, the account's quota is used up, or the file is too
 * large.
 */
export function isFullDisk(error: unknown): boolean {
  const codeOf = (each: unknown) => (each as NodeJS.ErrnoException | undefined)?.code ?? ''
  return [codeOf(error), codeOf((error as Error).cause)].some((code) => ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(code))
}
