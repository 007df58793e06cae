// Which tests are tried against the mutants of a room.

import { globSync } from 'node:fs'
import { root } from './mutants.ts'

export interface Suite {
  files: string[]
  /**
   * The maximum number of tests that are run against a mutant, those most likely to notice it first. A hundred verbs
   * execute the statements that prepare a batch, and a mutant that the first fifteen miss is hardly noticed by the
   * hundredth. The tests of a room have a case of its own for many conditions.
   */
  testsPerMutant: number
}

/** Measures how much statements read in long lists, which takes minutes. */
const slow = 'test/src/ledger/plans.test.ts'

/** The tests of a room in the order in which they are tried. A file is in one suite only. */
export function suitesOf(room: string): Suite[] {
  const effects = filesOf('test/guarantees/effects/*.test.ts')
  const own = filesOf(`test/src/ledger/${room}/**/*.test.ts`, `test/src/ledger/${room}.test.ts`)
  const others = filesOf('test/src/ledger/**/*.test.ts').filter((file) => !own.includes(file))
  const together = filesOf('test/guarantees/simulation/twin.test.ts', 'test/guarantees/interleavings/*.test.ts')
  const suites = [
    { files: own, testsPerMutant: 40 },
    { files: effects, testsPerMutant: 15 },
    { files: others, testsPerMutant: 15 },
    { files: together, testsPerMutant: 15 },
  ]
  return suites.map(({ files, ...suite }) => ({ files: files.filter((file) => file !== slow), ...suite }))
}

const filesOf = (...globs: string[]) => globs.flatMap((glob) => globSync(glob, { cwd: root })).sort()
