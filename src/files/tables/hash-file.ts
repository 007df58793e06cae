// Hashes source files with SHA-256, and opens them again for reading. The hash identifies a source: the same content is
// the same source, whatever its name.

import { basename } from 'node:path'
import { NotAFileError, openSourceFile, type SourceFile } from './source-file.ts'
import { sourceLimits } from './source-limits.ts'

/** Thrown if a file was changed or replaced after it was submitted. */
export class SourceChangedError extends Error {
  override readonly name = 'SourceChangedError'
}

/**
 * Thrown if the file is not available on this machine. If there are several workers, another one may be able to read
 * it.
 */
export class SourceMissingError extends Error {
  override readonly name = 'SourceMissingError'
}

/** Returns the SHA-256 of the file's bytes in hex, read as a stream. Throws the errors of opening the file. */
export async function hashFile(path: string): Promise<string> {
  await using file = await openSourceFile(path, 'followed')
  return await file.sha256()
}

/**
 * Hashes a file whose name was chosen by an untrusted person, who may try to make this process read files that they may
 * not read themselves.
 * @throws NotAFileError, also for a file that is too large to read
 */
export async function hashUntrusted(path: string): Promise<string> {
  await using file = await openSourceFile(path, 'refused')
  if (file.linkCount > 1) throw new NotAFileError('a second name for a file elsewhere (a hard link)')
  if (file.bytes > sourceLimits.fileBytes)
    throw new NotAFileError(
      `larger than any list: ${file.bytes} bytes, over the limit of ${sourceLimits.fileBytes}`,
      'Split the list into smaller files.',
    )
  return await file.sha256()
}

/**
 * Opens a file that was submitted earlier.
 * @throws SourceMissingError if this machine cannot read the file, SourceChangedError if it is no longer a regular file
 */
export async function openSubmittedFile(path: string): Promise<SourceFile> {
  try {
    // The path was resolved when the file was submitted, and contained no links.
    return await openSourceFile(path, 'refused')
  } catch (error) {
    if (error instanceof NotAFileError) throw changed(path)
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'ENOENT' && code !== 'EACCES') throw error
    throw new SourceMissingError(
      `${basename(path)} can no longer be read by the worker. Put it back, or issue it again from its new location.`,
    )
  }
}

/** @throws SourceChangedError if the content differs from what was submitted */
export async function expectHash(file: SourceFile, sha256: string): Promise<void> {
  if ((await file.sha256()) !== sha256) throw changed(file.path)
}

function changed(path: string): SourceChangedError {
  return new SourceChangedError(
    `${basename(path)} changed after it was submitted, and nothing from it was issued. Issue it again.`,
  )
}
