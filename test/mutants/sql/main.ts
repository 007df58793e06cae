// Runs all mutants of the ledger's statements, and prints those that no test notices and the score of each room. This
// takes hours on two cores. `npm run test:mutants:sql -- attempts report` runs the mutants of two rooms only, and
// `-- 78 79` only these two mutants.

import { globSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import startServers from '#test/support/global-setup.ts'
import { allMutants, type Mutant, root } from './mutants.ts'
import type { Order } from './orders.ts'
import { lineOf, type Result, scores } from './score.ts'
import { runOrders, runTests } from './worker.ts'

/**
 * The tests of single statements run first. Mutants that they do not notice are tried with the twin and the
 * interleavings.
 */
const suites = [
  ['test/guarantees/effects/*.test.ts', 'test/src/ledger/**/*.test.ts'],
  ['test/guarantees/simulation/twin.test.ts', 'test/guarantees/interleavings/*.test.ts'],
]

const processes = 2

/**
 * The maximum number of tests that are run against a mutant, those most likely to notice it first. A hundred tests
 * execute the statements that prepare a batch, and a mutant that the first 25 miss is hardly noticed by the hundredth.
 */
const testsPerMutant = 25

const stop = await startServers()
const folder = await mkdtemp(join(tmpdir(), 'credsync-mutants-'))
try {
  const results = await runAll(chosen(process.argv.slice(2)))
  for (const result of results) if (result.result !== 'killed') console.log(lineOf(result))
  console.log(scores(results))
} finally {
  await rm(folder, { recursive: true, force: true })
  await stop()
}

function chosen(options: readonly string[]): Mutant[] {
  const all = allMutants()
  if (options.length === 0) return all
  return all.filter(({ id, file }) =>
    options.some((option) => (/^\d+$/.test(option) ? Number(option) === id : file.includes(option))),
  )
}

async function runAll(mutants: readonly Mutant[]): Promise<Result[]> {
  const results = new Map<number, Result>()
  for (const globs of suites) {
    const files = globs.flatMap((glob) => globSync(glob, { cwd: root })).sort()
    const tests = (await runTests(folder, files)).filter(({ test, failed }) => {
      if (failed) console.warn(`Fails without a mutant: ${test}: ${failed}`)
      return !failed
    })
    const left = mutants.filter(({ id }) =>
      ['survived', 'not executed'].includes(results.get(id)?.result ?? 'survived'),
    )
    const orders = left.map((mutant): Order => {
      const own = mutant.file.replace(/^src/, 'test/src').replace(/\.ts$/, '')
      // The tests of effects are the quickest. Next come the tests of the mutant's own file, and tests that execute
      // little else.
      const rank = ({ test, mutants }: (typeof tests)[number]) =>
        (test.includes('/effects/') ? 0 : test.startsWith(own) ? 1e4 : 2e4) + mutants.length
      const fitting = tests.filter((test) => test.mutants.includes(mutant.id)).sort((a, b) => rank(a) - rank(b))
      return { mutant: mutant.id, tests: fitting.slice(0, testsPerMutant).map(({ test }) => test) }
    })
    const executed = orders.filter((order) => order.tests.length > 0)
    console.log(`${files.length} files, ${tests.length} tests, ${executed.length} mutants`)
    for (const mutant of left)
      if (!results.has(mutant.id)) results.set(mutant.id, { mutant, result: 'not executed', by: '', words: '' })
    const note = (id: number, outcome: Omit<Result, 'mutant'>) => {
      const { mutant } = results.get(id) as Result
      results.set(id, { ...outcome, mutant })
      console.log(lineOf({ ...outcome, mutant }))
    }
    const durations = new Map(tests.map(({ test, ms }) => [test, ms]))
    const shares = Array.from({ length: processes }, (_, share) => executed.filter((_, at) => at % processes === share))
    await Promise.all(shares.map((orders) => runOrders(folder, { files, orders, durations, note })))
  }
  return [...results.values()]
}
