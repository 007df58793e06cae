// Capitals where no name has them are what a wrong encoding leaves.

/** Whether the capitals beyond ASCII of `word` stand where they do in names: in front, or all through. */
export function hasUsualCase(word: string): boolean {
  return !/\p{Ll}(?![A-Z])\p{Lu}|\p{Lu}(?![A-Z])\p{Lu}\p{Ll}/u.test(word)
}
