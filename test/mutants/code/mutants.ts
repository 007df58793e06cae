// Makes the mutants of source files, with StrykerJS's instrumenter: every mutant of a file is in one text, where a
// global switch selects the one that acts.

import { readFileSync } from 'node:fs'
import { Instrumenter } from '@stryker-mutator/instrumenter'

export interface Mutant {
  id: string
  /** Below the root of the repository. */
  file: string
  line: number
  /** Where the original is in the text of the file. */
  start: number
  end: number
  kind: string
  original: string
  replacement: string
}

export interface MutatedSources {
  mutants: Mutant[]
  /** The instrumented text of each file. */
  texts: Map<string, string>
}

const noLog = () => {}
const logger = {
  ...{ isTraceEnabled: () => false, isDebugEnabled: () => false, isInfoEnabled: () => false },
  ...{ isWarnEnabled: () => false, isErrorEnabled: () => false, isFatalEnabled: () => false },
  ...{ trace: noLog, debug: noLog, info: noLog, warn: noLog, error: noLog, fatal: noLog },
}

/** @param files below the root, which is the current directory; their order determines the mutants' ids */
export async function mutate(files: readonly string[]): Promise<MutatedSources> {
  const sources = files.map((name) => ({ name, mutate: true, content: readFileSync(name, 'utf8') }))
  const options = { plugins: null, ignorers: [], excludedMutations: [] }
  const result = await new Instrumenter(logger).instrument(sources, options)
  const contents = new Map(sources.map(({ name, content }) => [name, content]))
  const mutants = result.mutants.map(({ id, fileName, location, mutatorName, replacement }) => {
    const content = contents.get(fileName) ?? ''
    const [start, end] = [offsetOf(content, location.start), offsetOf(content, location.end)]
    const original = content.slice(start, end)
    return { id, file: fileName, line: location.start.line + 1, start, end, kind: mutatorName, original, replacement }
  })
  return {
    mutants: mutants.filter((mutant) => !isOnlyWords(mutant)),
    texts: new Map(result.files.map(({ name, content }) => [name, content])),
  }
}

function offsetOf(text: string, { line, column }: { line: number; column: number }): number {
  let start = 0
  for (let at = 0; at < line; at++) start = text.indexOf('\n', start) + 1
  return start + column
}

/** A text of three or more words is for people. Tests check the facts in it, and not each of its words. */
function isOnlyWords({ kind, original }: Mutant): boolean {
  const words = original.replace(/\$\{[^}]*\}/g, ' 0 ').match(/\p{L}+/gu) ?? []
  return kind === 'StringLiteral' && words.length >= 3 && /\p{L}\W* \W*\p{L}/u.test(original)
}
