// The content of a file, as a SHA-256: the same content is the same source, whatever it is called.

import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { basename } from 'node:path'
import { pipeline } from 'node:stream/promises'

export class SourceChangedError extends Error {
  override readonly name = 'SourceChangedError'
}

/** Not to be had here; where several workers share the work it may be another's to read. */
export class SourceMissingError extends Error {
  override readonly name = 'SourceMissingError'
}

/** Hex of the SHA-256 of the file's bytes, read as a stream. Throws what opening the file throws. */
export async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

/** @throws SourceMissingError when the file cannot be read here, SourceChangedError when it is no longer what was handed over */
hashFile.expect = async (path: string, sha256: string): Promise<void> => {
  const now = await hashFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'EACCES' || error.code === 'EISDIR') return null
    throw error
  })
  const name = basename(path)
  if (now === null)
    throw new SourceMissingError(
      `${name} can no longer be read by the worker. Put it back, or issue it again from where it is now.`,
    )
  if (now !== sha256)
    throw new SourceChangedError(
      `${name} changed after it was handed over, and nothing of it was issued. Issue it again.`,
    )
}
