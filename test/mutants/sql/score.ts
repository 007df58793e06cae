// The result of each mutant, and the score of each room. Pure.

import type { Mutant } from './mutants.ts'

export interface Result {
  mutant: Mutant
  /** `invalid` if PostgreSQL cannot run the statement, which then tests nothing. */
  result: 'killed' | 'hangs' | 'survived' | 'not executed' | 'invalid'
  /** The test that noticed the mutant. */
  by: string
  words: string
}

const oneLine = (text: string, length: number) => text.replace(/\s+/g, ' ').slice(0, length)

export function lineOf({ mutant, result, by, words }: Result): string {
  const { id, file, line, kind, text } = mutant
  return [result, id, `${file}:${line}`, kind, oneLine(text, 160), by, oneLine(words, 160)].join('\t')
}

/** Returns a line for each folder of src/ledger, with the percentage of its mutants that a test notices. */
export function scores(results: readonly Result[]): string {
  const valid = results.filter(({ result }) => result !== 'invalid')
  const rooms = Map.groupBy(valid, ({ mutant }) => mutant.file.split('/').slice(0, 3).join('/'))
  const line = (name: string, own: readonly Result[]) => {
    const noticed = own.filter(({ result }) => result === 'killed' || result === 'hangs').length
    return `${name}\t${own.length} mutants\t${noticed} noticed\t${((100 * noticed) / Math.max(1, own.length)).toFixed(1)} %`
  }
  return [...[...rooms].map(([room, own]) => line(room, own)), line('all', valid)].join('\n')
}
