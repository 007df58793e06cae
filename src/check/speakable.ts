// The text of an error as far as it may be shown. A database or a parser quotes what it choked on, which may be a person.

/** Ours name themselves on the instance; the language's and the drivers' do not, or name another class. Pure. */
export function isOwn(error: unknown): error is Error {
  return error instanceof Error && Object.hasOwn(error, 'name') && error.constructor.name === error.name
}

/** The message of an error of ours; of any other only its kind and code. Pure. */
export function speakable(error: unknown): string {
  if (isOwn(error)) return error.message
  if (!(error instanceof Error)) return 'Something failed inside credsync.'
  const { code } = error as { code?: unknown }
  const known = typeof code === 'string' && /^[A-Z0-9_]{1,40}$/.test(code) ? `, ${code}` : ''
  return `Something failed inside credsync (${error.constructor.name}${known}). Please report it.`
}
