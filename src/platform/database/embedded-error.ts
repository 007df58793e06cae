// The error class of the embedded database. Each message states what went wrong, where to look, and what to do next.

export interface EmbeddedPostgresFault {
  /** One sentence without a full stop. */
  what: string
  /** The path that the fault concerns: the server's log, or a directory. */
  where: string
  /** What to do next, as a sentence without a full stop. */
  next: string
  /** The last lines of the server's log or of the failed program, oldest first. */
  lastLines?: string[]
  cause?: unknown
}

export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError'
  readonly where: string
  readonly lastLines: string[]

  constructor(fault: EmbeddedPostgresFault) {
    const lines = fault.lastLines ?? []
    const details = lines.length === 0 ? '' : `\n${lines.map((line) => `  | ${line}`).join('\n')}`
    super(`Embedded PostgreSQL: ${fault.what}. Where: ${fault.where}. Next: ${fault.next}.${details}`, {
      cause: fault.cause,
    })
    this.where = fault.where
    this.lastLines = lines
  }
}

/** The alternative that the messages of the embedded database suggest. */
export const ownDatabaseHint = 'set DATABASE_URL to a PostgreSQL of your own'

/** Returns whether `error` has one of these codes, such as ENOENT. */
export function hasCode(error: unknown, ...codes: string[]): boolean {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' && codes.includes(code)
}
