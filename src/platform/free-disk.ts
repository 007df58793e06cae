// Checks whether the disk has room for what is to be written. Reads the file system.

import { statfs } from 'node:fs/promises'

/** Left free on the disk, because the ledger may be on it: with less, the next daily run may fail. */
export const keptFreeBytes = 256 * 1024 * 1024

export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

/** Whether an error, or its cause, says that the disk or the account's share of it is full. */
export function isFullDisk(error: unknown): boolean {
  const codeOf = (each: unknown) => (each as NodeJS.ErrnoException | undefined)?.code ?? ''
  return [codeOf(error), codeOf((error as Error).cause)].some((code) => ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(code))
}
