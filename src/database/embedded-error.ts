// The one error of the embedded database: what went wrong, where to look, what to do next.

export interface EmbeddedPostgresFault {
  /** One sentence without a full stop. */
  what: string
  /** The path that the fault is about: the server's log, or the directory. */
  where: string
  /** What a person does next, as a sentence without a full stop. */
  next: string
  /** The last lines of the server's log or of the failed program, oldest first. */
  lastLines?: string[]
  cause?: unknown
}

export class EmbeddedPostgresError extends Error {
  readonly what: string
  readonly where: string
  readonly next: string
  readonly lastLines: string[]

  constructor(fault: EmbeddedPostgresFault) {
    const lines = fault.lastLines ?? []
    const told = lines.length === 0 ? '' : `\n${lines.map((line) => `  | ${line}`).join('\n')}`
    super(`Embedded PostgreSQL: ${fault.what}. Where: ${fault.where}. Next: ${fault.next}.${told}`, {
      cause: fault.cause,
    })
    this.name = 'EmbeddedPostgresError'
    this.what = fault.what
    this.where = fault.where
    this.next = fault.next
    this.lastLines = lines
  }
}

/** The way out that every fault of the embedded database has. */
export const useYourOwn = 'set DATABASE_URL to a PostgreSQL of your own'

/** True when `error` is a system error with one of these codes, such as ENOENT. */
export function hasCode(error: unknown, ...codes: string[]): boolean {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' && codes.includes(code)
}
