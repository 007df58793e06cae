// Rejects rows with impossible words in a file whose encoding was guessed. One or two such words do not disprove the
// guess for the whole file, but a name with a wrong letter must not be issued. Pure.

import { columnLetters } from '#src/files/tables/column-letters.ts'
import type { RowProblem, SourceRow } from '#src/files/tables/source.ts'
import { symbolIn } from './misdecoded-words.ts'
import { wordsBeyondAscii } from './words-beyond-ascii.ts'

const beyondAscii = /[^\0-\x7f]/

/**
 * Yields the `rows`, with a problem added to each row that has a symbol inside a word. Strange spellings alone are
 * accepted, because real names may have them.
 */
export async function* rejectStrangeRows(
  rows: AsyncIterable<SourceRow[]>,
): AsyncGenerator<SourceRow[], void, undefined> {
  for await (const group of rows) yield group.map((row) => withProblem(row))
}

function withProblem(row: SourceRow): SourceRow {
  const problem = row.problem ?? findStrange(row.cells)
  return problem ? { ...row, problem } : row
}

function findStrange(cells: readonly string[]): RowProblem | undefined {
  for (const [index, cell] of cells.entries()) {
    if (!beyondAscii.test(cell)) continue
    for (const { word } of wordsBeyondAscii(cell)) {
      const symbol = symbolIn(word)
      if (symbol === null) continue
      const description = symbol < '\u00a0' ? 'a control character' : `“${symbol}”`
      const sentence = `Column ${columnLetters(index)} has ${description} where only letters belong, in a file that does not say how its letters are written: a letter is probably wrong. Correct it, and export the file as UTF-8.`
      return { rule: 'invalid-characters', sentence }
    }
  }
  return undefined
}
