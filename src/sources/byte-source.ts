// Where the bytes of a table come from: a file, or a file inside a ZIP. Whoever guesses what they are reads them again.

import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { readHead } from './read-head.ts'

export interface ByteSource {
  /**
   * All bytes, from the start each time it is called; a file's in pieces of `pieceBytes`, mostly. Throws what the place they
   * lie in throws.
   */
  stream(pieceBytes?: number): Readable | AsyncGenerator<Buffer, void, undefined>
  /** The first `length` bytes, or all when there are fewer. */
  head(length: number): Promise<Buffer>
}

export function bytesOfFile(path: string): ByteSource {
  return {
    stream: (pieceBytes = 65_536) => createReadStream(path, { highWaterMark: pieceBytes }),
    head: (length) => readHead(path, length),
  }
}
