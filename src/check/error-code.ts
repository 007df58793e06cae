// The code that an error carries, whoever made it.

/** Pure. Such as 42501 or ENOENT; null where there is none. */
export function errorCodeOf(error: unknown): string | null {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' ? code : null
}
