// The mutants that are known to do no harm still exist.

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { harmlessMutants, onOneLine } from './harmless.ts'
import { mutate } from './mutants.ts'

test('each mutant of the lists is made, and each entry has a reason', async () => {
  const { mutants } = await mutate(Object.keys(harmlessMutants))
  const lineOf = new Map(Object.keys(harmlessMutants).map((file) => [file, readFileSync(file, 'utf8').split('\n')]))
  const nameOf = (file: string, line: string | undefined, code: string, becomes: string) =>
    `${file}: ${line?.trim()}: ${code} → ${becomes}`
  const made = new Set(
    mutants.map(({ file, line, original, replacement }) =>
      nameOf(file, lineOf.get(file)?.[line - 1], onOneLine(original), onOneLine(replacement)),
    ),
  )
  for (const [file, entries] of Object.entries(harmlessMutants))
    for (const { line, mutants, why } of entries) {
      expect(why, line).not.toBe('')
      const names = mutants.map(([code, becomes]) => nameOf(file, line, code, becomes))
      expect(names.filter((name) => !made.has(name))).toEqual([])
    }
})
