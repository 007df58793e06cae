// Runs the mutants of the ledger's statements against the ledger's tests, room by room, and prints those that no test
// notices and the score of each room. `npm run test:mutants:sql -- attempts report` runs the mutants of two rooms only,
// and `-- 78 79` only these two mutants. `--every 4 --from 1` is a sample of each room: its second mutant, its sixth and
// so on. With --suites 2, only the first two suites of tests are tried. --journal FILE keeps the outcomes, and continues
// a run that was interrupted. --processes 1 leaves the other cores alone.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import startServers from '#test/support/global-setup.ts'
import { harmless, misfits } from './harmless.ts'
import { openJournal } from './journal.ts'
import { allMutants, type Mutant, roomOf } from './mutants.ts'
import type { Order } from './orders.ts'
import { goal, isFinal, lineOf, type Outcome, type Result, scoreOf, tableOf } from './score.ts'
import { type Suite, suitesOf } from './suites.ts'
import { runOrders, runTests, type TestRun } from './worker.ts'

const notExecuted: Outcome = { result: 'not executed', by: '', words: '' }
const isIn = (file: string, test: string) => test.startsWith(`${file} `)

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    journal: { type: 'string' },
    suites: { type: 'string', default: '4' },
    every: { type: 'string', default: '1' },
    from: { type: 'string', default: '0' },
    processes: { type: 'string', default: '2' },
  },
})
const [processes, every, from] = [Number(values.processes), Number(values.every), Number(values.from)]
const all = allMutants()
const chosen = all.filter(
  (mutant) => positionals.length === 0 || positionals.some((each) => [`${mutant.id}`, roomOf(mutant)].includes(each)),
)
const unfit = misfits(harmless, all)
if (unfit.length > 0) console.log(unfit.join('\n'))
const journal = openJournal(values.journal ?? null)
const stop = await startServers()
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void stop().finally(() => process.exit(1)))
const folder = await mkdtemp(join(tmpdir(), 'credsync-mutants-'))
try {
  const results: Result[] = []
  const missed: string[] = []
  for (const [room, mutants] of Map.groupBy(chosen, roomOf)) {
    const sample = mutants.filter((_, at) => at % every === from)
    const own = await runRoom(room, sample)
    if (scoreOf(room, own).percentage < goal) missed.push(room)
    results.push(...own)
  }
  console.log(tableOf(results))
  process.exitCode = unfit.length + missed.length > 0 ? 1 : 0
} finally {
  await rm(folder, { recursive: true, force: true })
  await stop()
}

async function runRoom(room: string, mutants: readonly Mutant[]): Promise<Result[]> {
  const outcomes = new Map<Mutant, Outcome>()
  for (const [number, suite] of suitesOf(room).slice(0, Number(values.suites)).entries()) {
    const left: Mutant[] = []
    for (const mutant of mutants) {
      if (isFinal(outcomes.get(mutant))) continue
      const known = journal.find(mutant, number)
      if (known) outcomes.set(mutant, known)
      else left.push(mutant)
    }
    const note = (id: number, outcome: Outcome) => {
      const mutant = all[id] as Mutant
      outcomes.set(mutant, outcome)
      journal.note(mutant, number, outcome)
      console.log(lineOf({ mutant, ...outcome }))
    }
    if (left.length > 0 && suite.files.length > 0) await runSuite(suite, left, note)
    console.log(`${room}: suite ${number + 1} is done.`)
  }
  return mutants.map((mutant) => ({ mutant, ...(outcomes.get(mutant) ?? notExecuted) }))
}

async function runSuite(
  { files, testsPerMutant }: Suite,
  mutants: readonly Mutant[],
  note: (id: number, outcome: Outcome) => void,
): Promise<void> {
  const tests = await passingTests(files)
  const orders = mutants.map((mutant) => orderOf(mutant, tests, testsPerMutant)).filter(({ tests }) => tests.length > 0)
  console.log(`${tests.length} tests in ${files.length} files execute ${orders.length} of ${mutants.length} mutants.`)
  const durations = new Map(tests.map(({ test, ms }) => [test, ms]))
  const used = files.filter((file) => orders.some((order) => order.tests.some((test) => isIn(file, test))))
  const shares = Array.from({ length: processes }, (_, share) => orders.filter((_, at) => at % processes === share))
  await Promise.all(shares.map((orders) => runOrders(folder, { files: used, orders, durations, note })))
}

/** Runs the tests of these files without a mutant, unless that has been done. */
async function passingTests(files: readonly string[]): Promise<TestRun[]> {
  const fresh = files.filter((file) => !journal.recorded.has(file))
  const tests = fresh.length > 0 ? await runTests(folder, fresh) : []
  for (const file of fresh) {
    const own = tests.filter(({ test }) => isIn(file, test))
    if (own.length > 0) journal.record(file, own)
  }
  const recorded = files.flatMap((file) => journal.recorded.get(file) ?? [])
  for (const { test, failed } of recorded) if (failed) console.warn(`Fails without a mutant: ${test}: ${failed}`)
  return recorded.filter(({ failed }) => !failed)
}

/** The tests of the mutant's own file come first, and tests that execute little else. */
function orderOf({ id, file }: Mutant, tests: readonly TestRun[], most: number): Order {
  const own = file.replace(/^src/, 'test/src').replace(/\.ts$/, '')
  const rank = ({ test, mutants }: TestRun) => (test.startsWith(own) ? 0 : 1e4) + mutants.length
  const fitting = tests.filter(({ mutants }) => mutants.includes(id)).sort((a, b) => rank(a) - rank(b))
  return { mutant: id, tests: fitting.slice(0, most).map(({ test }) => test) }
}
