// Splits the title of a column or the name of a field into words. Pure.

/** Returns the words in lower case: “Birth_Date”, “BirthDate” and “birth date” all yield `birth` and `date`. */
export function wordsIn(name: string): string[] {
  return name
    .normalize('NFKC')
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
}
