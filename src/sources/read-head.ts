// The first bytes of a file, for those who guess what it is.

import { open } from 'node:fs/promises'

/** Reads up to `length` bytes from the start of the file at `path`. Throws what the system throws. */
export async function readHead(path: string, length: number): Promise<Buffer> {
  await using file = await open(path, 'r')
  const buffer = Buffer.alloc(length)
  let filled = 0
  while (filled < length) {
    const { bytesRead } = await file.read(buffer, filled, length - filled, filled)
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return buffer.subarray(0, filled)
}
