// A run that was interrupted continues where it stopped.

import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openJournal } from './journal.ts'
import type { Mutant } from './mutants.ts'
import type { Outcome } from './score.ts'

const mutant = (key: string): Mutant => ({
  ...{ key, id: 0, file: 'src/ledger/a.ts', line: 1, kind: 'condition', text: 'a', lineText: 'a', parts: [] },
})
const outcome = (result: Outcome['result']): Outcome => ({ result, by: 'a test', words: '' })

function journalPath(): string {
  const folder = mkdtempSync(join(tmpdir(), 'credsync-journal-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return join(folder, 'journal')
}

test('an outcome counts for its suite, and for later suites if it needs no other', () => {
  const path = journalPath()
  const first = openJournal(path)
  first.note(mutant('noticed'), 1, outcome('killed'))
  first.note(mutant('missed'), 1, outcome('survived'))
  first.record('a.test.ts', [{ test: 'a.test.ts a', ms: 1, mutants: [0], failed: null }])
  appendFileSync(path, '{"cut off')
  const second = openJournal(path)
  const found = (key: string) => [0, 1, 2].map((suite) => second.find(mutant(key), suite)?.result ?? null)
  expect(found('noticed')).toEqual(['killed', 'killed', 'killed'])
  expect(found('missed')).toEqual([null, 'survived', null])
  expect([...second.recorded.keys()]).toEqual(['a.test.ts'])
})

test('after a change, only mutants that were noticed are not tried again', () => {
  const path = journalPath()
  const first = openJournal(path)
  first.note(mutant('noticed'), 1, outcome('hangs'))
  first.note(mutant('missed'), 1, outcome('survived'))
  first.record('a.test.ts', [])
  writeFileSync(path, readFileSync(path, 'utf8').replaceAll(/"code":"\w+"/g, '"code":"of another version"'))
  const second = openJournal(path)
  expect(second.find(mutant('noticed'), 0)).toEqual(outcome('hangs'))
  expect(second.find(mutant('missed'), 1)).toBeNull()
  expect(second.recorded.size).toBe(0)
})
