// Cells with blanks beside their quotation marks: which are read without the marks, and which make their row invalid.

import { expect, test } from 'vitest'
import { readSource } from '#test/support/read-source.ts'

const header = 'Mail, "First Name", "Last Name"\n'

test.each([
  ['before the marks', 'a@x.org, "Ada", "Lovelace"', ['a@x.org', 'Ada', 'Lovelace']],
  ['after the marks', '"a@x.org" ,"Ada"  ,"Lovelace" ', ['a@x.org', 'Ada', 'Lovelace']],
  ['after the marks around a separator', 'a@x.org,"Ada, Countess" ,B', ['a@x.org', 'Ada, Countess', 'B']],
  ['beside doubled marks', 'a@x.org, "Ada ""the first"" K", ""', ['a@x.org', 'Ada "the first" K', '']],
  ['between the marks, which stay', 'a@x.org," Ada ", " B "', ['a@x.org', ' Ada ', ' B ']],
  ['nowhere beside the marks of a text', 'a@x.org,"""Ada""",B', ['a@x.org', '"Ada"', 'B']],
  ['beside marks that are part of the text', 'a@x.org, "Bo" and "Jo","Bo" and "Jo"', null],
])('blanks %s', async (_, line, cells) => {
  const read = await readSource(`${header}${line}\n`)
  expect(read.header).toEqual(['Mail', 'First Name', 'Last Name'])
  expect(read.rows).toEqual([{ row: 2, cells: cells ?? ['a@x.org', ' "Bo" and "Jo"', '"Bo" and "Jo"'] }])
})

test.each([
  ['a separator, and has too many cells', 'a@x.org, Ada, "Lovelace, Countess"'],
  ['a separator, and has the right number of cells', 'a@x.org, "Lovelace, Ada"'],
  ['a line end', 'a@x.org, Ada, "Love\nlace"'],
  ['a doubled mark and a separator', 'a@x.org, "Ada ""the first"", K"'],
])('a row is invalid if such marks are around %s', async (_, line) => {
  const [row, ...others] = (await readSource(`${header}${line}\n`)).rows
  expect(row?.problem).toMatchObject({ rule: 'ragged-row', sentence: expect.stringContaining('Remove the blank.') })
  expect(others.filter(({ problem }) => !problem)).toEqual([])
})
