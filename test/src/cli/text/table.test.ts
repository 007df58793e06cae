import { expect, test } from 'vitest'
import { tableLines } from '#src/cli/text/table.ts'

test('a table is aligned, omits empty columns, and keeps each row on one line', () => {
  const rows = [
    ['0123456789', 'Ada\u001b[31m\nLovelace', ''],
    ['1', 'Zoë', ''],
  ]
  expect(tableLines(['id', 'name', 'note'], rows)).toEqual([
    'id          name',
    '0123456789  Ada [31m Lovelace',
    '1           Zoë',
  ])
})
