// Texts out of an event: systems write numbers as texts and texts as numbers.

/** In bytes, as an index counts: longer than any id or address, short enough for every index. */
const longestId = 1_000
const control = /\p{Cc}/u

/** An id as text: a text that is not empty, or a whole number that lost no digits; undefined for all else. */
export function idText(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : undefined
  if (typeof value !== 'string') return undefined
  const text = value.trim()
  return text === '' || Buffer.byteLength(text) > longestId || control.test(text) || !text.isWellFormed()
    ? undefined
    : text
}

/** A value for a column as text, or undefined when it is neither a text, a number nor a yes or no. */
export function columnText(value: unknown): string | undefined {
  if (typeof value === 'boolean') return String(value)
  if (typeof value === 'number')
    return Number.isInteger(value) && !Number.isSafeInteger(value) ? undefined : String(value)
  return typeof value === 'string' && value.isWellFormed() && !value.includes('\0') ? value : undefined
}

/** Nothing was said: the place is missing, null or empty. */
export function isNothing(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '')
}
