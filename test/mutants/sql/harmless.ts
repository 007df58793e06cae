// The mutants of the ledger's statements that do no harm, with the reason why no test can notice them: harmless.txt names
// the file, the part that is left out or changed and, after an @, what else its line contains if the file has the same
// part several times; `…` stands for the rest of a part. The run does not count them, and fails if one no longer exists.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Mutant } from './mutants.ts'

export interface Harmless {
  /** Below src/ledger. */
  file: string
  text: string
  line: string
  why: string
}

const entry = /^(\S+): (.+?)(?: @ (.+))?\n {2}(.+)\n/gm

/** @throws Error if a line is not part of an entry */
export function parseHarmless(text: string): Harmless[] {
  const rest = text.replace(entry, '')
  if (rest !== '') throw new Error(`This is no entry of harmless.txt: ${rest}`)
  return [...text.matchAll(entry)].map(([, file = '', text = '', line = '', why = '']) => ({ file, text, line, why }))
}

export const harmless = parseHarmless(readFileSync(join(import.meta.dirname, 'harmless.txt'), 'utf8'))

function names({ file, text, line }: Harmless, mutant: Mutant): boolean {
  const isText = text.endsWith('…') ? mutant.text.startsWith(text.slice(0, -1)) : mutant.text === text
  return isText && mutant.file === `src/ledger/${file}` && mutant.lineText.includes(line)
}

export const isHarmless = (mutant: Mutant) => harmless.some((each) => names(each, mutant))

/** What is wrong with the list: entries that name no mutant, or more than one. */
export function misfits(list: readonly Harmless[], mutants: readonly Mutant[]): string[] {
  return list.flatMap((each) => {
    const found = mutants.filter((mutant) => names(each, mutant)).length
    return found === 1 ? [] : [`harmless.txt: ${each.file}: ${each.text} names ${found} mutants`]
  })
}
