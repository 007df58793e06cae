// Formats a list of column names for a message. The list is shortened, because a file may have hundreds of columns with
// very long names. Pure.

import { shortened } from '#src/platform/text.ts'

const maxNames = 12
const maxLength = 60

/** For example `Fax, Room and 498 more`: at most 12 names, each without line breaks and truncated to 60 characters. */
export function listColumns(names: readonly string[]): string {
  const shown = names.slice(0, maxNames).map((name) => shortened(name.replace(/\s+/gu, ' '), maxLength))
  const more = names.length - shown.length
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ')
}
