// Names an error for the log by its class and code. The message is left out, because it may contain personal data, a
// key or an address.

/**
 * Returns the class of the error, or `Error` if its name is not a class name, because some libraries put their message
 * into `name`. A code follows in parentheses: PostgreSQL's (25006), Redis's (OOM) or the system's (ECONNREFUSED). Pure.
 */
export function faultName(error: unknown): string {
  if (!(error instanceof Error)) return 'Error'
  // PostgreSQL's driver names all its errors `error`.
  const name = error.name === 'error' ? error.constructor.name : error.name
  const code = codeOf(error)
  const known = /^[A-Za-z][A-Za-z0-9]{0,60}$/.test(name) ? name : 'Error'
  return code === null ? known : `${known} (${code})`
}

/** Returns the code of the error, or null. An error reply of Redis has no code: its message begins with its kind. */
function codeOf(error: Error & { kind?: unknown; code?: unknown }): string | null {
  if (error.name === 'ReplyError') return /^[A-Z]{2,20}(?= )/.exec(error.message)?.[0] ?? null
  const code = error.kind ?? error.code
  if (typeof code !== 'string' || !/^[A-Z0-9][A-Z0-9_]{1,60}$/.test(code)) return null
  // The code of our own errors often just repeats the class.
  return error.name.toUpperCase().startsWith(code.replaceAll('_', '')) ? null : code
}
