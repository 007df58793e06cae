// Where the bytes of a table come from: a file, or a file inside a ZIP. Whoever guesses what they are reads them again.

import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { readHead } from './read-head.ts'

export interface ByteSource {
  /** All bytes, from the start each time it is called. Throws what the place they lie in throws. */
  stream(): Readable | AsyncGenerator<Buffer, void, undefined>
  /** The first `length` bytes, or all when there are fewer. */
  head(length: number): Promise<Buffer>
}

export function bytesOfFile(path: string): ByteSource {
  return {
    stream: () => createReadStream(path, { highWaterMark: 65_536 }),
    head: (length) => readHead(path, length),
  }
}
