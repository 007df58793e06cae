// What `forget` says it found of a person, and what it left out.

import { expect, test } from 'vitest'
import { personLines } from '#src/cli/text/erasure-lines.ts'

const row = (number: number) => ({ run: '12345678-aaaa-4000-8000-000000000000', row: number })
const earlier = { rows: [], completions: [], traces: [], leftOut: { rows: [], completions: [] }, day: null }
const nothing = { ids: [], rows: [], completions: [], ambiguous: [], recipient: null, earlier }
const leftOut = { ids: [], rows: [], completions: [] }

test('issuances, invalid rows and completions are named, and an address is masked', () => {
  const found = { ...nothing, ids: [7, 9], rows: [row(3)], completions: [1, 2], leftOut }
  expect(personLines('i7', found)).toEqual(['i7: i7, i9, row 12345678:3, 2 completions'])
  expect(personLines('ada@example.org', found)[0]).not.toContain('ada@example.org')
})

test('what only shares an address is named, to be named as well', () => {
  const others = { ids: [8], rows: [row(4)], completions: [5] }
  expect(personLines('i7', { ...nothing, ids: [7], leftOut: others })).toEqual([
    'i7: i7',
    '  left out, because only an address, a number or an identity agrees: i8, row 12345678:4. If it is the same person, name it as well.',
    '  left out for the same reason: 1 completion of a learning system',
  ])
})
