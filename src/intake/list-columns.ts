// Names of columns as they may stand in a sentence: a file has hundreds of them at times, each as long as a page.

const mostShown = 12
const longest = 60

/** `Fax, Room and 498 more`; at most twelve names, each cut to 60 characters and without line breaks. */
export function listColumns(names: readonly string[]): string {
  const shown = names.slice(0, mostShown).map((name) => {
    const line = name.replace(/\s+/gu, ' ')
    return line.length > longest ? `${line.slice(0, longest).toWellFormed()}…` : line
  })
  const more = names.length - shown.length
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ')
}
