// Reads ids and column values from an event as text: some systems send numbers as strings, or strings as numbers.
// Pure.

/**
 * The maximum length of an id in bytes, the unit of database indexes: longer than any id or address, and short enough
 * for every index.
 */
const maxIdBytes = 1_000
const control = /\p{Cc}/u

/** Returns an id as text, from a non-empty string or an exact integer; undefined for anything else. */
export function idText(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : undefined
  if (typeof value !== 'string') return undefined
  const text = value.trim()
  return text === '' || Buffer.byteLength(text) > maxIdBytes || control.test(text) || !text.isWellFormed()
    ? undefined
    : text
}

/** Returns a column value as text; undefined when the value is not a valid string, an exact number, or a boolean. */
export function columnText(value: unknown): string | undefined {
  if (typeof value === 'boolean') return String(value)
  if (typeof value === 'number')
    return Number.isInteger(value) && !Number.isSafeInteger(value) ? undefined : String(value)
  return typeof value === 'string' && value.isWellFormed() && !value.includes('\0') ? value : undefined
}

/** True when the value is missing, null or empty. */
export function isNothing(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '')
}
