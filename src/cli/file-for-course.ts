// What a file about a course is called when nobody said: after the word by which the course was asked for. Pure.

/** @param ending such as .recipients.csv */
export function fileForCourse(word: string, ending: string): string {
  const name = word
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}._-]+/gu, '-')
    .replace(/^[.-]+|[.-]+$/g, '')
    .slice(0, 80)
  return `${name || 'course'}${ending}`
}
