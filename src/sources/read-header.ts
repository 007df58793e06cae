// The names of the columns, and the reasons to refuse them.

import { looksLikePerson } from '#src/recipients/first-row-words.ts'
import { columnLetters } from './column-letters.ts'
import type { SourceRow } from './source.ts'
import type { Refuse } from './source-error.ts'
import { findUnfit } from './unfit-characters.ts'

// Longer than an address can be; keeps the pattern away from cells where it would be slow.
const longestAddress = 254
const longestShown = 60
const address = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

/**
 * Gives the trimmed names in `first`, without the unnamed columns at its end (exports often carry some). Throws
 * SourceError when a name is missing, comes twice (case does not count: the later column would win in silence), or when
 * the row looks like a person rather than like names.
 */
export function readHeader(first: SourceRow, columns: number, refuse: Refuse): string[] {
  const names = first.cells.map((cell) => cell.trim())
  while (names.at(-1) === '') names.pop()
  const place = `row ${first.row}`
  if (names.length > columns) {
    throw refuse(
      'limit',
      `The header (${place}) has ${names.length} columns; the limit is ${columns}. Send fewer columns.`,
    )
  }
  if (names.some((name) => name.length <= longestAddress && address.test(name))) {
    throw refuse(
      'header-missing',
      `The first filled row (${place}) holds an e-mail address, so it is data and the names of the columns are missing. Put them above it.`,
    )
  }
  const seen = new Map<string, number>()
  for (const [index, name] of names.entries()) {
    const column = columnLetters(index)
    if (name === '') throw refuse('header-empty', `Column ${column} has no name in ${place}. Name it or delete it.`)
    if (findUnfit(name)) {
      throw refuse(
        'header-characters',
        `The name of column ${column} in ${place} holds characters that are not text. Check the encoding and export the file again.`,
      )
    }
    const key = name.normalize('NFC').toLowerCase()
    const earlier = seen.get(key)
    if (earlier !== undefined) {
      throw refuse(
        'header-duplicate',
        `Columns ${columnLetters(earlier)} and ${column} have the same name in ${place}${looksLikePerson(names) ? '' : `: “${name.slice(0, longestShown)}”`}. Rename or delete one of them.`,
      )
    }
    seen.set(key, index)
  }
  return names
}
