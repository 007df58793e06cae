// Makes the message of an error safe to show. Databases and parsers quote the input that they rejected, which may be
// personal data. Pure.

/**
 * Returns true for credsync's own errors, which have their class name as an own property `name`. Errors of the language
 * and of drivers do not. Pure.
 */
export function isOwnError(error: unknown): error is Error {
  return error instanceof Error && Object.hasOwn(error, 'name') && error.constructor.name === error.name
}

/** Returns the message of an error of credsync; for any other error, only its kind and code. Pure. */
export function safeMessage(error: unknown): string {
  if (isOwnError(error)) return error.message
  if (!(error instanceof Error)) return 'Something failed inside credsync.'
  const { code } = error as { code?: unknown }
  const known = typeof code === 'string' && /^[A-Z0-9_]{1,40}$/.test(code) ? `, ${code}` : ''
  return `Something failed inside credsync (${error.constructor.name}${known}). Please report it.`
}
