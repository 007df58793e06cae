// Turns text from outside into one line. Pure.

/**
 * Returns the text without control characters, line ends and direction marks, which become spaces. Needed for tables and
 * sentences, because their contents were entered by users of the service or came in files.
 */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu, ' ').trim()
}
