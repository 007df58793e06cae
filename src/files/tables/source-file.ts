// Opens a file once, so that the same file is checked, hashed and read, even if another file takes its name in the
// meantime.

import { createHash } from 'node:crypto'
import { close, constants, fstat, open, read, type Stats } from 'node:fs'
import { lstat, stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'

// Uses descriptors, because the garbage collector would close a FileHandle while a thread reads from it.
const openDescriptor = promisify(open)
const statDescriptor = promisify(fstat)
const readDescriptor = promisify(read)
const closeDescriptor = promisify(close)

/** An open file as readers need it. A thread can read from a descriptor of its process. */
export interface OpenFile {
  path: string
  descriptor: number
  bytes: number
}

export interface SourceFile extends OpenFile {
  /** The number of names (hard links) that the file has. */
  linkCount: number
  /** Returns the SHA-256 of the current content in hex. */
  sha256(): Promise<string>
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** Thrown if the path exists but is not a regular file. */
export class NotAFileError extends Error {
  override readonly name = 'NotAFileError'
  /** @param description what the path leads to, such as `a folder, not a file` */
  constructor(description: string, advice = 'Send an ordinary file.') {
    super(`This is ${description}. ${advice}`)
  }
}

/**
 * Opens the file at `path`. Opening never blocks, not even on a pipe without a writer.
 * @param links `followed` only if the person who named the file has the same rights as this process
 * @throws NotAFileError, and system errors
 */
export async function openSourceFile(path: string, links: 'followed' | 'refused'): Promise<SourceFile> {
  // Checked before opening, because opening a device may have side effects.
  expectFile(await (links === 'followed' ? stat(path) : lstat(path)))
  // Windows has neither these flags nor the problems that they prevent.
  const { O_RDONLY, O_NONBLOCK = 0, O_NOFOLLOW = 0 } = constants
  const descriptor = await openDescriptor(path, O_RDONLY | O_NONBLOCK | (links === 'followed' ? 0 : O_NOFOLLOW))
  try {
    const found = await statDescriptor(descriptor)
    expectFile(found)
    return {
      path,
      descriptor,
      bytes: found.size,
      linkCount: found.nlink,
      async sha256() {
        const hash = createHash('sha256')
        // Limited, because a file that grows faster than it is read would never end.
        await pipeline(bytesFrom(descriptor, { end: found.size + 1 }), hash)
        return hash.digest('hex')
      },
      close: () => closeDescriptor(descriptor),
      [Symbol.asyncDispose]: () => closeDescriptor(descriptor),
    }
  } catch (error) {
    await closeDescriptor(descriptor)
    throw error
  }
}

/**
 * Reads the bytes of a descriptor from `start` up to but not including `end`. Node's own stream is not used, because it
 * closes the descriptor when a reader stops early, whatever its options.
 */
export async function* bytesFrom(
  descriptor: number,
  { start = 0, end = Infinity, pieceBytes = 65_536 } = {},
): AsyncGenerator<Buffer, void, undefined> {
  for (let at = start; at < end; ) {
    const buffer = Buffer.allocUnsafe(Math.min(pieceBytes, end - at))
    const { bytesRead } = await readDescriptor(descriptor, buffer, 0, buffer.length, at)
    if (bytesRead === 0) return
    at += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}

function expectFile(found: Stats): void {
  if (found.isFile()) return
  if (found.isDirectory()) throw new NotAFileError('a folder, not a file')
  throw new NotAFileError(found.isSymbolicLink() ? 'a link, not a file' : 'a pipe or a device, not a file')
}
