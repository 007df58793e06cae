// Lets yauzl read through the descriptor of a file that the caller has opened and will close.

import { read } from 'node:fs'
import { Readable } from 'node:stream'
import { RandomAccessReader } from 'yauzl'
import { bytesFrom } from '#src/files/tables/source-file.ts'

export class DescriptorReader extends RandomAccessReader {
  readonly #descriptor: number

  constructor(descriptor: number) {
    super()
    this.#descriptor = descriptor
  }

  override _readStreamForRange(start: number, end: number) {
    return Readable.from(bytesFrom(this.#descriptor, { start, end }), { objectMode: false })
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null) => void,
  ): void {
    read(this.#descriptor, buffer, offset, length, position, (error, bytes) => {
      callback(error ?? (bytes === length ? null : new Error('the file is shorter than it was')))
    })
  }
}
