// Rows are transferred from the reading thread unchanged.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CellKind, SourceRow } from '#src/files/tables/source.ts'
import { decodeRows, encodeRows } from '#src/files/tables/thread/encode-rows.ts'

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
      hasProblem: fc.boolean(),
      seed: fc.array(kind, { minLength: 2 * width, maxLength: 2 * width }),
    })
    .map(
      ({ row, cells, hasProblem, seed }): SourceRow => ({
        row,
        cells,
        ...(withKinds && { kinds: seed.slice(0, cells.length) }),
        ...(hasProblem && { problem }),
      }),
    )

test('rows with and without kinds, with problems and with another width arrive in order', () => {
  const rows = fc.boolean().chain((withKinds) => fc.array(anyRow(withKinds), { maxLength: 20 }))
  const property = fc.property(rows, (each) => {
    expect(decodeRows(encodeRows(each, width))).toEqual(each)
  })
  fc.assert(property)
})

test('ordinary rows are transferred as one string, and the kinds of their cells once', () => {
  const kinds: CellKind[] = ['text', 'number']
  const encoded = encodeRows(
    [2, 3, 4].map((row) => ({ row, cells: ['ab', `${row}`], kinds })),
    2,
  )
  expect(encoded).toMatchObject({ texts: ['ab\x002\x00ab\x003\x00ab\x004'], others: [], patterns: [kinds] })
})

test('a batch of any length arrives complete', () => {
  for (const length of [0, 1, 99, 100, 101, 200, 500]) {
    const rows = Array.from({ length }, (_, index): SourceRow => ({ row: index + 2, cells: [`${index}`, ''] }))
    expect(decodeRows(encodeRows(rows, 2))).toEqual(rows)
  }
})

test('decoded rows do not share the array of their cell kinds', () => {
  const kinds: CellKind[] = ['text']
  const [first, second] = decodeRows(
    encodeRows(
      [2, 3].map((row) => ({ row, cells: ['a'], kinds })),
      1,
    ),
  )
  first?.kinds?.push('empty')
  expect(second?.kinds).toEqual(['text'])
})

test('rows that contain the separators are not received as other rows', () => {
  const encoded = encodeRows(
    [
      { row: 2, cells: ['a\0b', 'c'] },
      { row: 3, cells: ['d', 'e'] },
    ],
    2,
  )
  expect(() => decodeRows(encoded)).toThrow('could not be decoded')
})

test('raw values are transferred with their rows, at no cost if there are none', () => {
  const rows = [2, 3, 4].map((row) => ({ row, cells: ['a'], ...(row === 3 && { raw: '[[0,7]]' }) }))
  expect(decodeRows(encodeRows(structuredClone(rows), 1))).toEqual(rows)
  expect(encodeRows([{ row: 2, cells: ['a'] }], 1).raws).toEqual([])
})
