// What a run found out, line by line in a file, so that a run that was interrupted continues where it stopped.

import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Mutant, root } from './mutants.ts'
import { isFinal, type Outcome } from './score.ts'
import type { TestRun } from './worker.ts'

type Line =
  | { code: string; file: string; tests: TestRun[] }
  | { code: string; suite: number; mutant: string; outcome: Outcome }

export interface Journal {
  /** The tests of each file, as they ran without a mutant. */
  readonly recorded: ReadonlyMap<string, readonly TestRun[]>
  record(file: string, tests: TestRun[]): void
  /** The outcome of a mutant, if this suite or an earlier one has noticed it, or this one has missed it. */
  find(mutant: Mutant, suite: number): Outcome | null
  note(mutant: Mutant, suite: number, outcome: Outcome): void
}

const sources = ['src/**/*.ts', 'src/**/*.sql', 'test/src/ledger/**', 'test/guarantees/**', 'test/support/**']

/** Identifies the code and the tests. */
function codeDigest(): string {
  const hash = createHash('sha1')
  for (const file of sources.flatMap((glob) => globSync(glob, { cwd: root })).sort())
    if (/\.(ts|sql|txt)$/.test(file)) hash.update(file).update(readFileSync(join(root, file)))
  return hash.digest('hex')
}

/**
 * After the code or the tests have changed, only the mutants that were noticed, in statements that are the same, are
 * not tried again. Begin with a new file to be sure that they still are.
 * @param path null to remember nothing after this run
 */
export function openJournal(path: string | null): Journal {
  const code = codeDigest()
  const recorded = new Map<string, readonly TestRun[]>()
  const outcomes = new Map<string, Outcome>()
  const read = (line: Line) => {
    if ('tests' in line) {
      if (line.code === code) recorded.set(line.file, line.tests)
    } else if (isFinal(line.outcome)) outcomes.set(line.mutant, line.outcome)
    else if (line.code === code) outcomes.set(`${line.mutant} ${line.suite}`, line.outcome)
  }
  // The last line is empty, or was cut off.
  const lines = path !== null && existsSync(path) ? readFileSync(path, 'utf8').split('\n').slice(0, -1) : []
  for (const line of lines) read(JSON.parse(line) as Line)
  const write = (line: Line) => {
    read(line)
    if (path !== null) appendFileSync(path, `${JSON.stringify(line)}\n`)
  }
  return {
    recorded,
    record: (file, tests) => write({ code, file, tests }),
    find: ({ key }, suite) => outcomes.get(key) ?? outcomes.get(`${key} ${suite}`) ?? null,
    note: ({ key }, suite, outcome) => write({ code, suite, mutant: key, outcome }),
  }
}
