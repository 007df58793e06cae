// The bytes of a table, from a file or from a file inside a ZIP. They can be read more than once, because the detection
// of the format reads them as well.

import type { Readable } from 'node:stream'
import { bytesFrom, type OpenFile } from './source-file.ts'

export interface ByteSource {
  /**
   * Streams all bytes, from the start on each call, usually in pieces of `pieceBytes`. Throws the errors of the
   * underlying file or ZIP.
   */
  stream(pieceBytes?: number): Readable | AsyncGenerator<Buffer, void, undefined>
  /** Returns the first `length` bytes, or all bytes if there are fewer. */
  head(length: number): Promise<Buffer>
}

export function bytesOfFile({ descriptor }: OpenFile): ByteSource {
  return {
    stream: (pieceBytes = 65_536) => bytesFrom(descriptor, { pieceBytes }),
    head: (length) => readHead(descriptor, length),
  }
}

/** Reads up to `length` bytes from the start of an open file. Throws the system's errors. */
async function readHead(descriptor: number, length: number): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of bytesFrom(descriptor, { end: length })) pieces.push(piece)
  return Buffer.concat(pieces)
}
