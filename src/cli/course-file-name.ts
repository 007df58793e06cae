// Chooses the default name of a file about a course: the word that the user gave for the course. Pure.

/** @param ending such as .recipients.csv */
export function courseFileName(word: string, ending: string): string {
  const name = word
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}._-]+/gu, '-')
    .replace(/^[.-]+|[.-]+$/g, '')
    .slice(0, 80)
  return `${name || 'course'}${ending}`
}
