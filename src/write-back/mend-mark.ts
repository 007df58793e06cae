// What a row that was not taken carries with it so that it is not taken when it comes back as it was. Pure.

import type { ResultRow } from '#src/ledger/write-backs.ts'
import { wordsOfRule } from '#src/recipients/words-of-rule.ts'
import { findOurColumns } from '#src/sources/our-columns.ts'

// What does not show in the row as it is written: cells cut to the width of the header or filled up to it, characters that a
// workbook cannot hold, what the cell of a spreadsheet was before it became text, and what other rows said.
const unseen = new Set([
  'ragged-row',
  'invalid-characters',
  'cell-too-long',
  'formula-without-value',
  'number_lost_zeros',
  'date_cell',
  'boolean_cell',
  'unique',
  'person_twice',
])

/**
 * What stands under the column that is to be emptied: empty when the next check finds by itself what is wrong. Cells beyond the header are in
 * it, because they are nowhere else. A row that comes back with its mark keeps it.
 * @param source the header of the source
 */
export function markOf(row: ResultRow, source: readonly string[]): string {
  const kept = findOurColumns(source).toEmpty.map((index) => row.cells[index] ?? '')
  const found = (row.violations ?? []).filter(({ rule }) => unseen.has(rule))
  const surplus = row.cells.slice(source.length).filter((cell) => cell !== '')
  const words = [
    ...kept,
    ...found.map(({ rule, field }) => wordsOfRule(rule, field)),
    ...(surplus.length > 0 ? [`cells beyond the last column: ${surplus.join(' | ')}`] : []),
  ]
  return [...new Set(words.filter((each) => each.trim() !== ''))].join('; ')
}
