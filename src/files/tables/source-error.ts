// The error for a file that is refused as a whole.

import { basename } from 'node:path'

export type SourceErrorCode =
  | 'unreadable'
  | 'empty'
  | 'not-a-table'
  | 'old-or-protected-workbook'
  | 'zip-not-workbook'
  | 'archive'
  | 'encoding'
  | 'delimiter'
  | 'quote-not-closed'
  | 'record-too-long'
  | 'header-missing'
  | 'header-empty'
  | 'header-duplicate'
  | 'header-characters'
  | 'second-table'
  | 'sheet-missing'
  | 'macros'
  | 'damaged'
  | 'forbidden-xml'
  | 'limit'
  | 'our-results'

/**
 * Thrown if a source file is refused. `sentence` says what is wrong, where, and what to do next; it never quotes a
 * cell. The error deliberately has no `cause`, because the errors of parsers contain parts of the file, which are
 * personal data.
 */
export class SourceError extends Error {
  override name = 'SourceError'
  readonly code: SourceErrorCode
  /** The file's name without its folders. */
  readonly file: string
  readonly sentence: string

  constructor(code: SourceErrorCode, path: string, sentence: string) {
    const file = basename(path)
    super(`${file}: ${sentence}`)
    this.code = code
    this.file = file
    this.sentence = sentence
  }
}

/** Creates a SourceError for a particular file, so that the code that reads it does not need its name. */
export type Refuse = (code: SourceErrorCode, sentence: string) => SourceError

/** Returns a `Refuse` for the file at `path`. */
export function refusalsOf(path: string): Refuse {
  return (code, sentence) => new SourceError(code, path, sentence)
}

/**
 * Converts any read error to a SourceError: a SourceError is returned unchanged, a system error (with an errno, such as
 * ENOENT) becomes `unreadable`, and any other error becomes `code` with `sentence`.
 */
export function toRefusal(
  error: unknown,
  refuse: Refuse,
  code: SourceErrorCode = 'damaged',
  sentence = 'The file could not be read to its end. Save it again and resend it.',
): SourceError {
  if (error instanceof SourceError) return error
  const system = error as { code?: unknown; errno?: unknown }
  if (
    typeof system.errno === 'number' &&
    system.errno < 0 &&
    typeof system.code === 'string' &&
    /^E/.test(system.code)
  ) {
    return refuse(
      'unreadable',
      `The file cannot be read (${system.code}). Check that it exists and that credsync may read it.`,
    )
  }
  return refuse(code, sentence)
}
