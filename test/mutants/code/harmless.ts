// Recognizes the mutants of the list in harmless-mutants.ts.

import { readFileSync } from 'node:fs'
import { harmlessMutants } from './harmless-mutants.ts'
import type { Mutant } from './mutants.ts'

/** @returns true if the list has the mutant */
export function isHarmless({ file, line, original, replacement }: Mutant): boolean {
  const entries = harmlessMutants[file] ?? []
  const text = entries.length > 0 ? readFileSync(file, 'utf8').split('\n')[line - 1]?.trim() : ''
  const [code, becomes] = [onOneLine(original), onOneLine(replacement)]
  return entries.some(
    (entry) => entry.line === text && entry.mutants.some((mutant) => mutant[0] === code && mutant[1] === becomes),
  )
}

/** Shows a piece of code in a report. */
export function onOneLine(code: string): string {
  const line = code.replace(/\s+/g, ' ')
  return line.length > 70 ? `${line.slice(0, 69)}…` : line
}
