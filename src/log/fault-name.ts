// What may be said of an error that somebody else made: its class and its code, and nothing of its text, which may hold a person, a key or an address.

/**
 * The class, or `Error` where the name is not one, since some libraries put their message into it; and the code in brackets where there is one: of
 * PostgreSQL (25006), of Redis (OOM), of the system (ECONNREFUSED). Pure.
 */
export function faultName(error: unknown): string {
  if (!(error instanceof Error)) return 'Error'
  // The driver of PostgreSQL calls each of its errors `error`.
  const name = error.name === 'error' ? error.constructor.name : error.name
  const code = codeOf(error)
  const known = /^[A-Za-z][A-Za-z0-9]{0,60}$/.test(name) ? name : 'Error'
  return code === null ? known : `${known} (${code})`
}

/** A refusal of Redis begins with its kind, and has no code. */
function codeOf(error: Error & { kind?: unknown; code?: unknown }): string | null {
  if (error.name === 'ReplyError') return /^[A-Z]{2,20}(?= )/.exec(error.message)?.[0] ?? null
  const code = error.kind ?? error.code
  if (typeof code !== 'string' || !/^[A-Z0-9][A-Z0-9_]{1,60}$/.test(code)) return null
  // Ours are often the class once more.
  return error.name.toUpperCase().startsWith(code.replaceAll('_', '')) ? null : code
}
