// Describes the first row of a file, for the message that refuses the file because of its columns. Pure.

import { shortened } from '#src/platform/text.ts'

const maxShown = 40
const maxTitleLength = 60

/** Matches an address, a register or phone number, or a date: these occur in a person's row, not in column names. */
const personalData = /@|\d{3}|\d\s*[./-]\s*\d/

/**
 * Lists the cells that were read as column names. In a file without a header row they are the first person's data, and
 * none is shown then, because these messages are stored and appear in the logs of other programs.
 */
export function describeFirstRow(titles: readonly string[]): string {
  if (looksLikePerson(titles))
    return 'The first row looks like a person’s data, or is a title, so it is not shown here: put a row of column names above it, or remove what is above that row.'
  const shown = titles.slice(0, maxShown).map((title) => `“${shortened(title, maxTitleLength)}”`)
  const more = titles.length - shown.length
  const list = `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
  return `The first row was taken as the column names. It holds: ${list}. If the names are further down, remove the rows above them.`
}

/** @returns true if cells that should be column names may be a person's data */
export function looksLikePerson(titles: readonly string[]): boolean {
  return titles.some((title) => personalData.test(title))
}
