// Turns text from outside into one line. Pure.

/**
 * Returns the text without control characters, line ends and direction marks, which become spaces. Needed for tables and
 * sentences, because their contents were entered by users of the service or came in files.
 */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu, ' ').trim()
}

// Begins a text with a capital letter. Pure.

export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

// Makes an untrusted name, such as a file name, safe to show in a sentence. Pure.

// Control characters move a terminal's cursor, and direction marks reverse a name.
const unsafe = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/** Returns the name with `?` in place of unprintable characters, cut to `maxLength` characters. */
export function safeName(name: string, maxLength: number): string {
  const safe = [...name.replace(unsafe, '?').toWellFormed()]
  return safe.length > maxLength ? `${safe.slice(0, maxLength).join('')}…` : safe.join('')
}
