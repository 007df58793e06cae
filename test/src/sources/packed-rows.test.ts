// Rows come out of the reading thread as they went in.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { packRows, unpackRows } from '#src/sources/packed-rows.ts'
import type { CellKind, SourceRow } from '#src/sources/source.ts'

const width = 3
const text = fc.oneof(fc.string(), fc.constantFrom('', 'é', '😀', '李娜', '\ud83d'))
const kind = fc.constantFrom<CellKind>('text', 'number', 'date', 'boolean', 'error', 'empty')
const problem = { rule: 'ragged-row', sentence: 'It is.' } as const

const anyRow = (withKinds: boolean) =>
  fc
    .record({
      row: fc.integer({ min: 1, max: 1_048_576 }),
      cells: fc.oneof(
        { weight: 4, arbitrary: fc.array(text, { minLength: width, maxLength: width }) },
        { weight: 1, arbitrary: fc.array(text, { minLength: width, maxLength: 2 * width }) },
      ),
      bad: fc.boolean(),
      seed: fc.array(kind, { minLength: 2 * width, maxLength: 2 * width }),
    })
    .map(
      ({ row, cells, bad, seed }): SourceRow => ({
        row,
        cells,
        ...(withKinds && { kinds: seed.slice(0, cells.length) }),
        ...(bad && { problem }),
      }),
    )

test('rows with and without kinds, with problems and of another width come out in their order', () => {
  const rows = fc.boolean().chain((withKinds) => fc.array(anyRow(withKinds), { maxLength: 20 }))
  const property = fc.property(rows, (each) => {
    expect(unpackRows(packRows(each, width))).toEqual(each)
  })
  fc.assert(property)
})

test('ordinary rows travel as one text, and the kinds of their cells once', () => {
  const kinds: CellKind[] = ['text', 'number']
  const packed = packRows(
    [2, 3, 4].map((row) => ({ row, cells: ['ab', `${row}`], kinds })),
    2,
  )
  expect(packed).toMatchObject({ texts: ['ab\x002\x00ab\x003\x00ab\x004'], odd: [], patterns: [kinds] })
})

test('a batch of any length comes out whole', () => {
  for (const length of [0, 1, 99, 100, 101, 200, 500]) {
    const rows = Array.from({ length }, (_, index): SourceRow => ({ row: index + 2, cells: [`${index}`, ''] }))
    expect(unpackRows(packRows(rows, 2))).toEqual(rows)
  }
})

test('rows do not share the kinds of their cells', () => {
  const kinds: CellKind[] = ['text']
  const [first, second] = unpackRows(
    packRows(
      [2, 3].map((row) => ({ row, cells: ['a'], kinds })),
      1,
    ),
  )
  first?.kinds?.push('empty')
  expect(second?.kinds).toEqual(['text'])
})

test('rows that hold what separates them are not handed on as other rows', () => {
  const packed = packRows(
    [
      { row: 2, cells: ['a\0b', 'c'] },
      { row: 3, cells: ['d', 'e'] },
    ],
    2,
  )
  expect(() => unpackRows(packed)).toThrow('do not come apart')
})
