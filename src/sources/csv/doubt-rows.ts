// Holds the rows of a file whose encoding was guessed against the words that no language has. One or two of them do not speak against the whole
// file, but a name of which a letter is wrong must not be issued.

import { columnLetters } from '#src/sources/column-letters.ts'
import type { RowProblem, SourceRow } from '#src/sources/source.ts'
import { signOf } from './strange-words.ts'
import { wordsBeyondAscii } from './words-beyond-ascii.ts'

const beyondAscii = /[^\0-\x7f]/

/** Gives `rows` on, with a problem for each that has a sign inside of a word. Strange spellings alone are left alone: somebody is called so. */
export async function* doubtRows(rows: AsyncIterable<SourceRow[]>): AsyncGenerator<SourceRow[], void, undefined> {
  for await (const group of rows) yield group.map((row) => doubted(row))
}

function doubted(row: SourceRow): SourceRow {
  const problem = row.problem ?? findStrange(row.cells)
  return problem ? { ...row, problem } : row
}

function findStrange(cells: readonly string[]): RowProblem | undefined {
  for (const [index, cell] of cells.entries()) {
    if (!beyondAscii.test(cell)) continue
    for (const { word } of wordsBeyondAscii(cell)) {
      const sign = signOf(word)
      if (sign === null) continue
      const named = sign < '\u00a0' ? 'a sign' : `“${sign}”`
      const sentence = `Column ${columnLetters(index)} has ${named} where only letters stand, in a file that does not say how its letters are written: a letter is probably wrong. Correct it, and export the file as UTF-8.`
      return { rule: 'invalid-characters', sentence }
    }
  }
  return undefined
}
