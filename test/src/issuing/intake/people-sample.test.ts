// The sample of the people of a first list.

import { describe, expect, test } from 'vitest'
import { PeopleSample } from '#src/issuing/intake/people-sample.ts'

describe('a sample of the people', () => {
  const sampled = (key: number, name = `person ${key}`) => ({ issuanceKey: Buffer.from([key]), recipient: { name } })
  const namesOf = (maxRows: number, rows: readonly ReturnType<typeof sampled>[]) => {
    const sample = new PeopleSample(maxRows)
    for (const row of rows) sample.add(row)
    return sample.recipients().map(({ name }) => name)
  }

  test.each<[string, number[], number[]]>([
    ['fewer people than the sample has room for', [7, 3], [3, 7]],
    ['as many people', [9, 7, 3], [3, 7, 9]],
    ['more people, the smallest first', [1, 2, 3, 4, 5], [1, 2, 3]],
    ['more people, the smallest last', [5, 4, 3, 2, 1], [1, 2, 3]],
    ['more people, one of them between the others', [9, 1, 5, 7], [1, 5, 7]],
    ['people who come twice', [5, 3, 5, 3, 4, 3], [3, 4, 5]],
    ['nobody', [], []],
  ])('has those with the smallest keys, in the order of the keys: %s', (_, keys, expected) => {
    expect(
      namesOf(
        3,
        keys.map((key) => sampled(key)),
      ),
    ).toEqual(expected.map((key) => `person ${key}`))
  })

  test('has the first of two rows with one key', () => {
    expect(namesOf(2, [sampled(3, 'first'), sampled(3, 'second'), sampled(9, 'other')])).toEqual(['first', 'other'])
  })
})
