// Reads request bodies into memory, with a limit on the memory of all bodies together.

import type { Readable } from 'node:stream'

/** Thrown if there is no memory left for a body. The sender receives 503 with Retry-After. */
export class NoRoomError extends Error {
  override readonly name = 'NoRoomError'
  readonly statusCode = 503
}

export class BodyTooLargeError extends Error {
  override readonly name = 'BodyTooLargeError'
  readonly statusCode = 413
}

export interface HeldBody {
  bytes: Buffer
  /** Releases the memory. To be called when the bytes are no longer needed. */
  release(): void
}

export interface BodyMemory {
  /** The memory that all bodies take at the moment, in bytes. */
  bytes(): number
  /**
   * Reads a body to its end.
   * @throws NoRoomError, BodyTooLargeError
   */
  read(stream: Readable, maxBytes: number): Promise<HeldBody>
}

const minBufferBytes = 16_384

/**
 * @param drops which body is dropped if there is no memory left. `newest`: the one that needs more. `oldest`: the one
 * that has been arriving for longest. An honest sender's body arrives within seconds, so an attacker with bodies that
 * never end cannot keep that sender out
 */
export function openBodyMemory(maxBytes: number, drops: 'newest' | 'oldest'): BodyMemory {
  /** Bodies that are being received, in the order in which they started. */
  const arriving = new Set<ArrivingBody>()
  let takenBytes = 0

  function freeMemory(requester: ArrivingBody, moreBytes: number): void {
    while (takenBytes + moreBytes > maxBytes) {
      const [oldest = requester] = arriving
      const dropped = drops === 'oldest' ? oldest : requester
      dropped.end(new NoRoomError())
      if (dropped === requester) return
    }
  }

  class ArrivingBody {
    #buffer = Buffer.alloc(0)
    #filled = 0
    readonly #stream: Readable
    readonly #maxBytes: number
    readonly #settle: (end: { error: Error } | { held: HeldBody }) => void
    #ended = false

    constructor(stream: Readable, maxBytes: number, settle: (end: { error: Error } | { held: HeldBody }) => void) {
      this.#stream = stream
      this.#maxBytes = maxBytes
      this.#settle = settle
      arriving.add(this)
      stream.on('data', this.#take)
      stream.once('end', this.#finish)
      stream.once('error', this.end)
      stream.once('close', this.#fail)
    }

    readonly #take = (chunk: Buffer) => {
      const needed = this.#filled + chunk.length
      if (needed > this.#maxBytes) return this.end(new BodyTooLargeError())
      if (needed > this.#buffer.length) this.#grow(needed)
      if (this.#ended) return
      chunk.copy(this.#buffer, this.#filled)
      this.#filled = needed
    }

    /**
     * Uses one buffer that doubles, not a list of chunks: if a body arrives byte by byte, each chunk takes hundreds of
     * bytes.
     */
    #grow(needed: number): void {
      const size = Math.min(this.#maxBytes, Math.max(needed, 2 * this.#buffer.length, minBufferBytes))
      freeMemory(this, size - this.#buffer.length)
      if (this.#ended) return
      takenBytes += size - this.#buffer.length
      const larger = Buffer.alloc(size)
      this.#buffer.copy(larger, 0, 0, this.#filled)
      this.#buffer = larger
    }

    readonly #finish = () => {
      if (!this.#leave()) return
      const size = this.#buffer.length
      let released = false
      const release = () => {
        if (!released) takenBytes -= size
        released = true
      }
      this.#settle({ held: { bytes: this.#buffer.subarray(0, this.#filled), release } })
    }

    readonly #fail = () => this.end(new Error('The connection broke.'))

    readonly end = (error: Error) => {
      if (!this.#leave()) return
      takenBytes -= this.#buffer.length
      this.#buffer = Buffer.alloc(0)
      this.#settle({ error })
    }

    #leave(): boolean {
      if (this.#ended) return false
      this.#ended = true
      arriving.delete(this)
      this.#stream.off('data', this.#take)
      this.#stream.off('end', this.#finish)
      this.#stream.off('close', this.#fail)
      return true
    }
  }

  return {
    bytes: () => takenBytes,
    read: (stream, maxBodyBytes) =>
      new Promise((resolve, reject) => {
        new ArrivingBody(stream, maxBodyBytes, (end) => ('error' in end ? reject(end.error) : resolve(end.held)))
      }),
  }
}
