// Names of columns in messages.

import { expect, test } from 'vitest'
import { listColumns } from '#src/issuing/intake/list-columns.ts'

const columns = (count: number) => Array.from({ length: count }, (_, index) => `c${index + 1}`)
const twelve = 'c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12'

test.each<[string, string[], string]>([
  ['no names', [], ''],
  ['one name', ['Fax'], 'Fax'],
  ['twelve names', columns(12), twelve],
  ['thirteen names', columns(13), `${twelve} and 1 more`],
  ['names with line breaks', ['Date\r\n of  birth', 'Fax'], 'Date of birth, Fax'],
  ['a name of 60 characters', ['x'.repeat(60)], 'x'.repeat(60)],
  ['a name of 61 characters', ['x'.repeat(61)], `${'x'.repeat(60)}…`],
  ['a name with a letter of two parts', [`${'x'.repeat(59)}\u{1F600}y`], `${'x'.repeat(59)}\u{1F600}…`],
])('%s', (_, names, text) => {
  expect(listColumns(names)).toBe(text)
})
