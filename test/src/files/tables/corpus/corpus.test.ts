// Reading every sample file in the table has the expected result.

import { describe, expect, test } from 'vitest'
import { openSource } from '#src/files/tables/open-source.ts'
import { readInPlace } from '#test/support/read-source.ts'
import { cases } from './cases.ts'
import type { CorpusCase, Taken } from './corpus-case.ts'
import { telltale } from './people.ts'
import { type Open, type Outcome, readBytes } from './read-case.ts'

const readCase = async ({ build, file = 'results.csv', options }: CorpusCase, open: Open) =>
  readBytes(await build(), file, open, options)

function expectTaken(outcome: Outcome, expected: Taken) {
  expect(outcome.refusal?.message).toBeUndefined()
  expect(outcome.header).toEqual(expected.header)
  expect(outcome.rows.map(({ cells }) => cells)).toEqual(expected.rows)
  const problems = outcome.rows.flatMap(({ row, problem }) => (problem ? [[row, problem.rule]] : []))
  expect(Object.fromEntries(problems)).toEqual(expected.problems ?? {})
  if (expected.kinds) expect(outcome.rows[0]?.kinds).toEqual(expected.kinds)
  expect(outcome.notices).toEqual((expected.notices ?? []).map((words) => expect.stringMatching(words)))
}

describe('a file that', () => {
  test.each(cases.map((testCase): [string, CorpusCase] => [testCase.name, testCase]))('%s', async (_, each) => {
    const outcome = await readCase(each, readInPlace)
    if ('refused' in each.expected) {
      expect(outcome.refusal).toMatchObject({ code: each.expected.refused })
      expect(outcome.refusal?.sentence).toMatch(each.expected.sentence)
      // A sample is refused when it is opened, or after a few rows.
      expect(outcome.batches).toBeLessThanOrEqual(2)
    } else {
      expectTaken(outcome, each.expected)
      expect(outcome.batches).toBe(Math.ceil(outcome.rows.length / 500))
    }
    const sentences = [
      outcome.refusal?.message,
      ...outcome.notices,
      ...outcome.rows.map(({ problem }) => problem?.sentence),
    ]
    expect(sentences.filter((sentence) => sentence !== undefined && telltale.test(sentence))).toEqual([])
  })
})

test('files that are read concurrently in separate threads give the same result as when they are read in sequence', async () => {
  const some = cases.filter((_, index) => index % 16 === 0)
  const outcomes = await Promise.all(some.map((each) => readCase(each, openSource)))
  for (const [index, each] of some.entries()) expect(outcomes[index]).toEqual(await readCase(each, readInPlace))
})

test('the table has a unique entry for every file', () => {
  const names = cases.map(({ name, file = 'csv' }) => `${name} ${file}`)
  expect(names.filter((name, index) => names.indexOf(name) < index)).toEqual([])
  expect(names.length).toBeGreaterThan(200)
})
