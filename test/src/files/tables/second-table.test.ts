// A second table below the first: how it is recognized, in any format.

import { expect, test } from 'vitest'
import { readRefusal, readSource } from '#test/support/read-source.ts'
import { inlineRow, writeWorkbook } from '#test/support/written-workbook.ts'

const above = 'Mail,First Name\na@x.org,Ada\n'
const below = 'b@x.org,Bo\n'
const rows = (...lines: string[][]) => lines.map((cells) => inlineRow(...cells)).join('')

test.each([
  ['a CSV', `${above}\n\nMail,First Name\n${below}`, 'Row 5 '],
  ['a CSV directly below its header', `Mail,First Name\n${above}`, 'Row 2 '],
  ['a CSV in other letters, with another column', `${above} MAIL ,first name,Note\n${below}`, 'Row 3 '],
  ['a CSV of one column', 'Mail\na@x.org\nMail\nb@x.org\n', 'Row 3 '],
  [
    'a workbook',
    writeWorkbook({ rows: rows(['Mail', 'Name'], ['a@x.org', 'Ada'], ['Mail', 'Name'], ['b@x.org', 'Bo']) }),
    'Row 3 ',
  ],
])('the names of the columns again in %s are refused with their row', async (_, bytes, row) => {
  const refusal = await readRefusal(bytes)
  expect(refusal).toMatchObject({ code: 'second-table', sentence: expect.stringContaining(row) })
})

test('a row that has only some of the names is read', async () => {
  expect((await readSource(`${above}Mail,Bo\nb@x.org,First Name\nMail\n`)).cells).toHaveLength(4)
})
