// What a run prints in the end.

import { expect, test } from 'vitest'
import type { Mutant } from './mutants.ts'
import { type Outcome, type Result, tableOf } from './score.ts'

const resultOf = (file: string, result: Outcome['result'], text = 'a = 1'): Result => {
  const place = { id: 7, key: '', file: `src/ledger/${file}`, line: 3, kind: 'condition', lineText: text }
  const mutant: Mutant = { ...place, text, parts: [] }
  return { mutant, result, by: '', words: '' }
}

test('the table has a line for each room, after the survivors', () => {
  const results = [
    resultOf('decisions.ts', 'killed'),
    resultOf('decisions.ts', 'invalid'),
    resultOf('attempts/attempts.ts', 'hangs'),
    resultOf('attempts/attempts.ts', 'survived'),
    resultOf('attempts/canary.ts', 'not executed', 'b = 2'),
    // Named in harmless.txt.
    resultOf('attempts/attempts.ts', 'survived', 'attempt_id = $1'),
  ]
  expect(tableOf(results).split('\n')).toEqual([
    'src/ledger/attempts/attempts.ts:3\tsurvived\tcondition\ta = 1\t(7)',
    'src/ledger/attempts/canary.ts:3\tnot executed\tcondition\tb = 2\t(7)',
    'room\tmutants\tnoticed\tharmless\tsurvivors\tscore',
    'decisions\t1\t1\t0\t0\t100.0 %',
    'attempts\t4\t1\t1\t2\t33.3 %',
    'all\t5\t2\t1\t2\t50.0 %',
  ])
})
