// The one error for a file that cannot be taken as a whole.

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
  | 'sheet-missing'
  | 'macros'
  | 'damaged'
  | 'forbidden-xml'
  | 'limit'
  | 'our-results'
  | 'already-read'

/**
 * A source file is refused. `sentence` says what is wrong, where, and what to do next; it never quotes a cell.
 * There is no `cause` on purpose: the parsers' own errors carry pieces of the file, which is personal data.
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

/** Builds the refusal of one particular file, so that the parts that read it need not know its name. */
export type Refuse = (code: SourceErrorCode, sentence: string) => SourceError

/** Gives the refusals of the file at `path`. */
export function refusalsOf(path: string): Refuse {
  return (code, sentence) => new SourceError(code, path, sentence)
}

/**
 * Turns whatever reading threw into a SourceError: one of ours stays, an error of the system (with an errno, such as
 * ENOENT) becomes `unreadable`, anything else becomes `code` with `sentence`.
 */
export function asRefusal(error: unknown, refuse: Refuse, code: SourceErrorCode, sentence: string): SourceError {
  if (error instanceof SourceError) return error
  const system = error as { code?: unknown; errno?: unknown }
  if (
    typeof system.errno === 'number' &&
    system.errno < 0 &&
    typeof system.code === 'string' &&
    /^E/.test(system.code)
  ) {
    return refuse('unreadable', `The file cannot be read (${system.code}). Check that it is there and may be read.`)
  }
  return refuse(code, sentence)
}
