// The list of harmless mutants fits the code.

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { harmlessMutants } from './harmless-mutants.ts'

test('each line of the list is in its file, and each entry has a reason', () => {
  for (const [file, entries] of Object.entries(harmlessMutants)) {
    const lines = new Set(
      readFileSync(file, 'utf8')
        .split('\n')
        .map((line) => line.trim()),
    )
    expect(
      entries.filter(({ line, why }) => !lines.has(line) || why === '').map(({ line }) => `${file}: ${line}`),
    ).toEqual([])
  }
})
