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
  /** Bodies that are being received, in the order in which they started: what drops each. */
  const arriving = new Set<(error: Error) => void>()
  let takenBytes = 0

  function freeMemory(fail: (error: Error) => void, moreBytes: number): void {
    while (takenBytes + moreBytes > maxBytes) {
      const [oldest = fail] = arriving
      const dropped = drops === 'oldest' ? oldest : fail
      dropped(new NoRoomError())
      if (dropped === fail) return
    }
  }

  function read(stream: Readable, maxBodyBytes: number): Promise<HeldBody> {
    const { promise, resolve, reject } = Promise.withResolvers<HeldBody>()
    let buffer = Buffer.alloc(0)
    let filled = 0
    const fail = (error: Error) => {
      if (!leave()) return
      takenBytes -= buffer.length
      buffer = Buffer.alloc(0)
      reject(error)
    }
    const broken = () => fail(new Error('The connection broke.'))

    function take(chunk: Buffer): void {
      const needed = filled + chunk.length
      if (needed > maxBodyBytes) fail(new BodyTooLargeError())
      else if (needed > buffer.length) grow(needed)
      if (!arriving.has(fail)) return
      chunk.copy(buffer, filled)
      filled = needed
    }

    /**
     * Uses one buffer that doubles, not a list of chunks: if a body arrives byte by byte, each chunk takes hundreds of
     * bytes.
     */
    function grow(needed: number): void {
      const size = Math.min(maxBodyBytes, Math.max(needed, 2 * buffer.length, minBufferBytes))
      freeMemory(fail, size - buffer.length)
      if (!arriving.has(fail)) return
      takenBytes += size - buffer.length
      const larger = Buffer.alloc(size)
      buffer.copy(larger, 0, 0, filled)
      buffer = larger
    }

    function finish(): void {
      if (!leave()) return
      let heldBytes = buffer.length
      const release = () => {
        takenBytes -= heldBytes
        heldBytes = 0
      }
      resolve({ bytes: buffer.subarray(0, filled), release })
    }

    /** @returns false if the body has been received or dropped before */
    function leave(): boolean {
      stream.off('data', take).off('end', finish).off('close', broken)
      return arriving.delete(fail)
    }

    arriving.add(fail)
    stream.on('data', take).once('end', finish).once('error', fail).once('close', broken)
    return promise
  }

  return { bytes: () => takenBytes, read }
}
