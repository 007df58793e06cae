// What the first row of a file holds, for a refusal about its columns. Pure.

const mostShown = 40
const longestShown = 60

/** An address, a number as registers and phones have them, or a date: what a person's row holds and column names do not. */
const ofAPerson = /@|\d{3}|\d\s*[./-]\s*\d/

/**
 * A sentence with the names that were taken for column names. In a file without a row of names they are the first person's data: then none
 * is shown, since refusals are written into logs of others and kept.
 */
export function firstRowWords(titles: readonly string[]): string {
  if (looksLikePerson(titles))
    return 'The first row looks like a person’s data, or is a title, so it is not shown here: put a row of column names above it, or take out what stands above that row.'
  const shown = titles.slice(0, mostShown).map((title) => `“${cut(title)}”`)
  const more = titles.length - shown.length
  const list = `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
  return `The first row was taken as the column names. It holds: ${list}. If the names stand further down, remove the rows above them.`
}

/** Whether what stands where column names are expected may be somebody's data. */
export function looksLikePerson(titles: readonly string[]): boolean {
  return titles.some((title) => ofAPerson.test(title))
}

function cut(title: string): string {
  const letters = [...title]
  return letters.length > longestShown ? `${letters.slice(0, longestShown).join('')}…` : title
}
