// Two texts that a person would call the same.

/** Without differences of case, width and white space. */
export function foldedText(text: string): string {
  return text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim()
}
