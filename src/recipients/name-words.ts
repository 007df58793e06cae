// The words that the name of a column or field is made of.

/** In small letters: “Birth_Date”, “BirthDate” and “birth date” are all birth and date. */
export function wordsIn(name: string): string[] {
  return name
    .normalize('NFKC')
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
}
