// Checks the case of a word, because capitals where no name has them are a sign of a wrong encoding. Pure.

/** Returns true if the capitals beyond ASCII in `word` are where names have them: at the start, or throughout. */
export function hasUsualCase(word: string): boolean {
  return !/\p{Ll}(?![A-Z])\p{Lu}|\p{Lu}(?![A-Z])\p{Lu}\p{Ll}/u.test(word)
}
