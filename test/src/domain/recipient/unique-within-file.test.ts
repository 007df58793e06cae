// Values that two people in one file share, in a field that must be unique.

import { describe, expect, test } from 'vitest'
import { DigestIndex } from '#src/domain/recipient/digest-index.ts'
import { planColumns } from '#src/domain/recipient/plan-columns.ts'
import { uniqueWithinFile } from '#src/domain/recipient/unique-within-file.ts'
import { aField } from './fields.ts'

const fields = [aField('Email', { unique: true }), aField('Badge', { unique: true }), aField('Name')]

describe('a unique field', () => {
  test('reports to a later row of another person which row has the same value', () => {
    const checker = uniqueWithinFile(fields)
    expect(checker.check(2, { Email: 'a@b.org' }, 'ann')).toEqual([])
    const [violation, ...others] = checker.check(9, { Email: 'a@b.org' }, 'bob')
    expect(others).toEqual([])
    expect(violation).toMatchObject({ row: 9, column: 'Email', field: 'Email', rule: 'unique', value: 'a…@b….org' })
    expect(violation?.sentence).toContain('row 2 has for another person')
    expect(checker.check(12, { Email: 'a@b.org' }, 'eve')[0]?.sentence).toContain('row 2 has for another person')
  })

  test('is refused for both people that share a value: the second reading refuses every row with the value, and names the other row', () => {
    const rows = [
      [2, 'ann'],
      [3, 'ann'],
      [4, 'bob'],
      [5, 'bob'],
    ] as const
    const first = uniqueWithinFile(fields)
    expect(rows.map(([row, who]) => first.check(row, { Email: 'x' }, who).length)).toEqual([0, 0, 1, 1])
    expect(first.shared()).toEqual(new Map([[2, new Map([['Email', 4]])]]))

    const second = uniqueWithinFile(fields, [], first.shared())
    const namedRows = rows.map(([row, who]) => second.check(row, { Email: 'x' }, who)[0]?.sentence.match(/row \d/)?.[0])
    expect(namedRows).toEqual(['row 4', 'row 4', 'row 2', 'row 2'])
    expect(second.check(6, { Email: 'y' }, 'eve')).toEqual([])
    expect(second.shared()).toEqual(first.shared())
  })

  test('may be repeated for the same person', () => {
    const checker = uniqueWithinFile(fields)
    checker.check(2, { Email: 'a@b.org' }, 'ann')
    expect(checker.check(3, { Email: 'a@b.org' }, 'ann')).toEqual([])
  })

  test('is compared only with itself, and not if it is empty', () => {
    const checker = uniqueWithinFile(fields)
    checker.check(2, { Email: 'same', Name: 'Jo' }, 'ann')
    expect(checker.check(3, { Badge: 'same', Name: 'Jo' }, 'bob')).toEqual([])
    expect(checker.check(4, { Name: 'Jo' }, 'eve')).toEqual([])
  })

  test('is reported with its column if the plan is known', () => {
    const { plan } = planColumns(['mail'], { Email: 'mail' }, fields)
    const checker = uniqueWithinFile(fields, plan)
    checker.check(2, { Email: 'x' }, 'ann')
    expect(checker.check(3, { Email: 'x' }, 'bob')[0]?.column).toBe('mail')
  })

  test('is remembered across many rows', () => {
    const checker = uniqueWithinFile(fields)
    for (let row = 0; row < 20_000; row++) {
      expect(checker.check(row, { Email: `person ${row}` }, `${row}`)).toHaveLength(0)
    }
    for (let row = 0; row < 20_000; row += 997) {
      expect(checker.check(20_000, { Email: `person ${row}` }, 'other')[0]?.sentence).toContain(`row ${row} has for`)
    }
  })
})

test('an index compares both halves of a key', () => {
  const index = new DigestIndex()
  index.keepFirst([1, 7], { row: 1, owner: [0, 0] })
  expect(index.get([1 + 1_024, 7])).toBeNull()
  expect(index.get([1, 8])).toBeNull()
})

test('an index keeps the first entry of each key, even if keys collide', () => {
  const index = new DigestIndex()
  const key = (n: number) => [5, n] as const
  for (let n = 0; n < 800; n++) expect(index.keepFirst(key(n), { row: n, owner: [n, 0xffffffff] })).toBeNull()
  for (let n = 0; n < 800; n += 100) {
    expect(index.keepFirst(key(n), { row: 1, owner: [0, 0] })).toEqual({ row: n, owner: [n, 0xffffffff] })
  }
})
