// The mutants that are known to do no harm are still there.

import { expect, test } from 'vitest'
import { harmless, misfits, parseHarmless } from './harmless.ts'
import { allMutants, type Mutant } from './mutants.ts'

test('each mutant that does no harm exists, and is named once', () => {
  expect(misfits(harmless, allMutants())).toEqual([])
})

test.each<[what: string, entry: string, found: number]>([
  ['by its text', 'a.ts: a = 1', 2],
  ['by its text and its line', 'a.ts: a = 1 @ UPDATE', 1],
  ['by the beginning of its text', 'a.ts: b = …', 1],
  ['in another file', 'b.ts: b = 1', 0],
  ['by a part of its text', 'a.ts: a', 0],
])('a mutant is named %s', (_, entry, found) => {
  const mutantOf = (text: string, lineText: string): Mutant => ({
    ...{ id: 0, key: '', file: 'src/ledger/a.ts', line: 1, kind: 'condition', parts: [] },
    ...{ text, lineText },
  })
  const mutants = [
    mutantOf('a = 1', 'SELECT FROM t WHERE a = 1'),
    mutantOf('a = 1', 'UPDATE t SET b = 1 WHERE a = 1'),
    mutantOf('b = 1', 'SELECT FROM t WHERE b = 1'),
  ]
  const problems = misfits(parseHarmless(`${entry}\n  why\n`), mutants)
  expect(problems).toEqual(found === 1 ? [] : [expect.stringContaining(`names ${found} mutants`)])
})

test('an entry without a reason is refused', () => {
  expect(() => parseHarmless('a.ts: a = 1\n')).toThrow('a.ts: a = 1')
})
