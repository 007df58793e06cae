import { describe, expect, test } from 'vitest'
import { DigestIndex } from '#src/recipients/digest-index.ts'
import { planColumns } from '#src/recipients/plan-columns.ts'
import { uniqueWithinFile } from '#src/recipients/unique-within-file.ts'
import { aField } from './fields.ts'

const fields = [aField('Email', { unique: true }), aField('Badge', { unique: true }), aField('Name')]

describe('a unique field', () => {
  test('tells a later row of somebody else which row has its value', () => {
    const checker = uniqueWithinFile(fields)
    expect(checker.check(2, { Email: 'a@b.org' }, 'ann')).toEqual([])
    const [violation, ...others] = checker.check(9, { Email: 'a@b.org' }, 'bob')
    expect(others).toEqual([])
    expect(violation).toMatchObject({ row: 9, column: 'Email', field: 'Email', rule: 'unique', value: 'a…@b….org' })
    expect(violation?.sentence).toContain('row 2 has for somebody else')
    expect(checker.check(12, { Email: 'a@b.org' }, 'eve')[0]?.sentence).toContain('row 2 has for somebody else')
  })

  test('of two people is nobody’s: the reading that comes after refuses every row that has it, and names the other one', () => {
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
    const told = rows.map(([row, who]) => second.check(row, { Email: 'x' }, who)[0]?.sentence.match(/row \d/)?.[0])
    expect(told).toEqual(['row 4', 'row 4', 'row 2', 'row 2'])
    expect(second.check(6, { Email: 'y' }, 'eve')).toEqual([])
    expect(second.shared()).toEqual(first.shared())
  })

  test('may come again for the same person', () => {
    const checker = uniqueWithinFile(fields)
    checker.check(2, { Email: 'a@b.org' }, 'ann')
    expect(checker.check(3, { Email: 'a@b.org' }, 'ann')).toEqual([])
  })

  test('is compared with itself only, and not when it is empty', () => {
    const checker = uniqueWithinFile(fields)
    checker.check(2, { Email: 'same', Name: 'Jo' }, 'ann')
    expect(checker.check(3, { Badge: 'same', Name: 'Jo' }, 'bob')).toEqual([])
    expect(checker.check(4, { Name: 'Jo' }, 'eve')).toEqual([])
  })

  test('is named by its column when the plan is known', () => {
    const { plan } = planColumns(['mail'], { Email: 'mail' }, fields)
    const checker = uniqueWithinFile(fields, plan)
    checker.check(2, { Email: 'x' }, 'ann')
    expect(checker.check(3, { Email: 'x' }, 'bob')[0]?.column).toBe('mail')
  })

  test('is remembered over many rows', () => {
    const checker = uniqueWithinFile(fields)
    for (let row = 0; row < 20_000; row++) {
      expect(checker.check(row, { Email: `person ${row}` }, `${row}`)).toHaveLength(0)
    }
    for (let row = 0; row < 20_000; row += 997) {
      expect(checker.check(20_000, { Email: `person ${row}` }, 'other')[0]?.sentence).toContain(`row ${row} has for`)
    }
  })
})

test('an index keeps the first entry of each key, also of keys that fall on one place', () => {
  const index = new DigestIndex()
  const key = (n: number) => [5, n] as const
  for (let n = 0; n < 3_000; n++) expect(index.keepFirst(key(n), { row: n, owner: [n, 0xffffffff] })).toBeNull()
  for (let n = 0; n < 3_000; n += 100) {
    expect(index.keepFirst(key(n), { row: 1, owner: [0, 0] })).toEqual({ row: n, owner: [n, 0xffffffff] })
  }
})
