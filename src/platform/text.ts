// Converts text from people, files and services into forms that can be shown, stored or compared. Pure.

/**
 * Returns the text without control characters, line ends and direction marks, which become spaces. Used for text in
 * tables and sentences, which comes from users of the service or from files.
 */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu, ' ').trim()
}

/** Begins the text with a capital letter. */
export const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** Begins the text with a small letter. */
export const uncapitalized = (text: string) => text.charAt(0).toLowerCase() + text.slice(1)

/** Cuts the text to a number of characters, and appends an ellipsis if there were more. */
export function shortened(text: string, maxLetters: number): string {
  if (text.length <= maxLetters) return text
  const letters = [...text.toWellFormed()]
  return letters.length > maxLetters ? `${letters.slice(0, maxLetters).join('')}…` : text
}

/** Cuts the text to a number of bytes, without splitting a character. File systems limit names to 255 bytes. */
export function cutToBytes(text: string, maxBytes: number): string {
  let kept = ''
  for (const letter of text) {
    if (Buffer.byteLength(kept + letter) > maxBytes) break
    kept += letter
  }
  return kept
}

// Control characters move a terminal's cursor, and direction marks reverse a name.
const unsafe = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/** Makes an untrusted name safe to show in a sentence: `?` in place of unprintable characters, cut to `maxLetters`. */
export const safeName = (name: string, maxLetters: number) =>
  shortened(name.replace(unsafe, '?').toWellFormed(), maxLetters)

/**
 * Returns the name of an untrusted file, with `-` in place of characters that break a line, control a terminal or
 * change the text direction.
 */
export const harmlessName = (name: string) => name.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, '-')

/**
 * Serializes equal JSON values to the same string: members sorted by name, no whitespace. The result is hashed into
 * stored keys, so the format must never change.
 * @param value a value from JSON.parse, of limited depth
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`)
  return `{${members.join(',')}}`
}
