// Rows that several pages of one reading repeat.

import { expect, test } from 'vitest'
import { openRepeatedRows } from '#src/issuing/reconcile/repeated-rows.ts'
import { aRecipient, aReportItem } from '#test/support/domain-objects.ts'

/** Reads pages of rows that are written as `id/day`; `-` stands for no id or no day. */
function repeats(...pages: string[]): boolean {
  const rows = openRepeatedRows((item) => item.request_date)
  const orNull = (text = '-') => (text === '-' ? null : text)
  for (const page of pages) {
    const written = page.split(' ').filter(Boolean)
    rows.add(
      written.map((row, at) => {
        const [id, day] = row.split('/')
        return aReportItem(aRecipient(at), { credential_id: orNull(id), request_date: orNull(day) })
      }),
    )
  }
  return rows.found
}

test.each<[string, string[], boolean]>([
  ['of different rows', ['a/1 b/1', 'c/1 d/2'], false],
  ['of which the second repeats a row of the day', ['a/1 b/2', 'b/2 c/2'], true],
  ['of which the third repeats a row of the day', ['a/1 b/2', 'c/2', 'b/2'], true],
  ['without an id', ['-/1', '-/1'], false],
  ['without a day', ['a/-', 'a/-'], false],
  ['of which the first ends without a day', ['a/1 b/-', 'a/1'], true],
  ['with nothing between them', ['a/1', '', 'a/1'], false],
  ['of which one repeats a row within itself', ['a/1 a/1'], false],
  ['of another day that have an id again', ['a/1', 'b/2', 'a/1'], false],
])('pages %s repeat a row: %#', (_, pages, found) => {
  expect(repeats(...pages)).toBe(found)
})

test('a repetition remains found when later pages are in order', () => {
  expect(repeats('a/1', 'a/1', 'b/2', 'c/3')).toBe(true)
})
