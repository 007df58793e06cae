// Reads the column names, and refuses a header that cannot be used. Pure.

import { looksLikePerson } from '#src/domain/recipient/describe-first-row.ts'
import { columnLetters } from './column-letters.ts'
import { findForbidden } from './forbidden-characters.ts'
import type { SourceRow } from './source.ts'
import type { Refuse } from './source-error.ts'

// The maximum length of an e-mail address. The pattern is not applied to longer cells, where it would be slow.
const maxAddressLength = 254
const maxShownLength = 60
const address = /^[^\s@]+@[^\s@](?=[^\s@.]*\.[^\s@])[^\s@]+$/

/**
 * Returns the trimmed names in the row `first`, without the unnamed columns at its end that exports often have.
 * @throws SourceError if a name is missing, if one occurs twice (ignoring case, because the later column would silently
 * win), or if the row looks like a person's data
 */
export function readHeader(first: SourceRow, columns: number, refuse: Refuse): string[] {
  const names = first.cells.map((cell) => cell.trim())
  while (names.at(-1) === '') names.pop()
  const location = `row ${first.row}`
  if (names.length > columns) {
    throw refuse(
      'limit',
      `The header (${location}) has ${names.length} columns; the limit is ${columns}. Remove some columns.`,
    )
  }
  if (names.some((name) => name.length <= maxAddressLength && address.test(name))) {
    throw refuse(
      'header-missing',
      `The first filled row (${location}) contains an e-mail address, so it is data and the names of the columns are missing. Put the names into a row above it.`,
    )
  }
  const seen = new Map<string, number>()
  for (const [index, name] of names.entries()) {
    const column = columnLetters(index)
    if (name === '') throw refuse('header-empty', `Column ${column} has no name in ${location}. Name it or delete it.`)
    if (findForbidden(name)) {
      throw refuse(
        'header-characters',
        `The name of column ${column} in ${location} contains characters that are not text. Check the encoding and export the file again.`,
      )
    }
    const key = nameKey(name)
    const earlier = seen.get(key)
    if (earlier !== undefined) {
      throw refuse(
        'header-duplicate',
        `Columns ${columnLetters(earlier)} and ${column} have the same name in ${location}${looksLikePerson(names) ? '' : `: “${name.slice(0, maxShownLength)}”`}. Rename or delete one of them.`,
      )
    }
    seen.set(key, index)
  }
  return names
}

/** Returns what is the same for all spellings of a column's name. */
export function nameKey(name: string): string {
  return name.trim().normalize('NFC').toLowerCase()
}
