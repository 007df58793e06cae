// Tries the mutants of some files in one process: node worker.ts JOURNAL FILE… The tests are imported once, and each
// mutant runs only the tests that execute it. Ends with 3 if it should be started again, to continue in a new process.

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { type CollectedTest, collectTests, runTest } from './collected-tests.ts'
import { openJournal, type Verdict } from './journal.ts'
import { dependents, load, loadAgain, loadFrom } from './loading.ts'
import { type Mutant, mutate } from './mutants.ts'
import { testFolders } from './scope.ts'
import { startWatchdog } from './watchdog.ts'

// Tests that need a server are skipped, and random cases are the same in each run.
for (const name of ['CI', 'CREDSYNC_TEST_POSTGRES', 'CREDSYNC_TEST_REDIS']) delete process.env[name]
process.env.CREDSYNC_TEST_SIZE = 'few'
fc.configureGlobal({ seed: 1 })
// Something that a mutant left behind fails after its test has ended; the test itself counts.
process.on('unhandledRejection', () => {})
process.on('uncaughtException', () => {})

/** Tests that take longer are not run for each mutant. */
const slowMilliseconds = 2_500
/** A mutant is tried with the nearest tests that together take this long. */
const mostMillisecondsPerMutant = 1_500
const mostMemory = 1_500_000_000
const passed = 0
const startAgain = 3

// What the instrumented text reads and writes.
interface Switch {
  activeMutant?: string | undefined
  currentTestId?: string | undefined
  hitCount?: number | undefined
  hitLimit?: number | undefined
  mutantCoverage?: { static: Record<string, number>; perTest: Record<string, Record<string, number>> }
}
const mutantSwitch: Switch = {}
Object.assign(globalThis, { __stryker__: mutantSwitch })

interface KnownTest extends CollectedTest {
  id: string
  file: string
  milliseconds: number
}

// Without a mutant every test ends, however long it takes with the text of all mutants.
let testBegins = () => {}
const [journalPath = '', ...files] = process.argv.slice(2)
const journal = openJournal(journalPath)
const { mutants, texts } = await mutate(files)
const todo = inOrder()
if (todo.length === 0) process.exit(passed)
loadFrom(texts)

const suites = new Map<string, KnownTest[]>()
for (const file of testFolders.flatMap(testsIn)) suites.set(file, await collect(file))
const coverage = await runAll()
testBegins = startWatchdog()
for (const mutant of todo) {
  journal.begin(mutant.id)
  const verdict = await judge(mutant)
  journal.end(mutant.id, verdict)
  if (verdict === 'alone' || process.memoryUsage().rss > mostMemory) process.exit(startAgain)
}
process.exit(passed)

function testsIn(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return names.filter((name) => name.endsWith('.test.ts')).map((name) => join(folder, name))
}

async function collect(file: string): Promise<KnownTest[]> {
  const tests = await collectTests(() => load(file))
  return tests.map((test, index) => ({ ...test, file, id: `${file} ${index}`, milliseconds: 0 }))
}

/** Mutants that spoiled the state of an earlier process come first, where nothing is spoiled yet. */
function inOrder(): Mutant[] {
  const verdictOf = ({ id }: Mutant) => journal.verdicts.get(id)
  return [
    ...mutants.filter((mutant) => verdictOf(mutant) === 'alone'),
    ...mutants.filter((mutant) => verdictOf(mutant) === undefined),
  ]
}

/** Runs every test that reaches the files, without a mutant, and finds out which mutants each executes. */
async function runAll() {
  const near = new Set(files.flatMap((file) => [...dependents(file)]))
  for (const [file, tests] of suites) if (!near.has(file) || tests.length === 0) suites.delete(file)
  const covering = new Map<string, KnownTest[]>()
  const leftOut = new Set<KnownTest>()
  for (const tests of suites.values())
    for (const test of tests) {
      mutantSwitch.currentTestId = test.id
      const before = process.cpuUsage()
      const hasFailed = await fails(test)
      const { user, system } = process.cpuUsage(before)
      test.milliseconds = (user + system) / 1000
      if (hasFailed || test.milliseconds > slowMilliseconds) leftOut.add(test)
      else
        for (const id of Object.keys(executed().perTest[test.id] ?? {}))
          covering.set(id, [...(covering.get(id) ?? []), test])
    }
  mutantSwitch.currentTestId = undefined
  for (const { file, name } of leftOut) console.error(`Left out, because it is slow or fails here: ${file}: ${name}`)
  return { covering, atLoading: new Set(Object.keys(executed().static)), leftOut }
}

function executed() {
  return mutantSwitch.mutantCoverage ?? { static: {}, perTest: {} }
}

async function judge(mutant: Mutant): Promise<Verdict> {
  const tests = affordable(coverage.covering.get(mutant.id) ?? [], mutant.file)
  const isLoading = coverage.atLoading.has(mutant.id)
  if (tests.length === 0 && !isLoading) return 'untested'
  const noticing = await findFailing(tests, mutant.id)
  if (noticing) {
    // If it fails without the mutant too, then an earlier one spoiled something that the tests share.
    const isSpoiled = await fails(noticing)
    return isSpoiled && journal.verdicts.get(mutant.id) !== 'alone' ? 'alone' : 'noticed'
  }
  return isLoading && (await isNoticedWhileLoading(mutant)) ? 'noticed' : 'survived'
}

/** Loads the mutant's file, and whatever depends on it, with the mutant, and runs the tests nearest to it. */
async function isNoticedWhileLoading(mutant: Mutant): Promise<boolean> {
  const paths = dependents(mutant.file)
  let left = mostMillisecondsPerMutant
  loadAgain(paths)
  try {
    for (const [file, known] of nearestFirst(mutant.file)) {
      if (!paths.has(file) || left <= 0) continue
      mutantSwitch.activeMutant = mutant.id
      const tests = await collect(file)
      const names = new Set(known.filter((test) => !coverage.leftOut.has(test)).map(({ name }) => name))
      const fit = tests.filter(({ name }) => names.has(name))
      if (await findFailing(fit, mutant.id)) return true
      for (const { milliseconds } of known) left -= milliseconds
    }
    return false
  } catch {
    return true
  } finally {
    mutantSwitch.activeMutant = undefined
    loadAgain(new Set())
  }
}

function nearestFirst(source: string): [string, KnownTest[]][] {
  const total = (tests: readonly KnownTest[]) => tests.reduce((sum, { milliseconds }) => sum + milliseconds, 0)
  return [...suites].sort(([a, ofA], [b, ofB]) => distance(a, source) - distance(b, source) || total(ofA) - total(ofB))
}

/** The number of folders that lead from a test to a source file; none to the test that has the file's name. */
function distance(test: string, source: string): number {
  const namesake = test.replace(/^test\//, '').replace('.test.ts', '.ts')
  if (namesake === source) return 0
  const [path, other] = [source.split('/'), namesake.split('/')]
  const common = path.findIndex((part, index) => part !== other[index])
  return path.length + other.length - 2 * common
}

function affordable(tests: readonly KnownTest[], source: string): KnownTest[] {
  let left = mostMillisecondsPerMutant
  return tests
    .toSorted((a, b) => distance(a.file, source) - distance(b.file, source) || a.milliseconds - b.milliseconds)
    .filter(({ milliseconds }) => {
      left -= milliseconds
      return left + milliseconds > 0
    })
}

async function findFailing(tests: readonly KnownTest[], mutant: string): Promise<KnownTest | null> {
  for (const test of tests) {
    mutantSwitch.activeMutant = mutant
    mutantSwitch.hitCount = 0
    mutantSwitch.hitLimit = 1_000 + 10 * (executed().perTest[test.id]?.[mutant] ?? 10)
    try {
      if (await fails(test)) return test
    } finally {
      mutantSwitch.activeMutant = undefined
      mutantSwitch.hitCount = undefined
    }
  }
  return null
}

/** @returns true if the test fails, or waits for something that never comes */
async function fails(test: CollectedTest): Promise<boolean> {
  testBegins()
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error('The test does not end.')), 8_000)
  try {
    await Promise.race([runTest(test), late])
    return false
  } catch {
    return true
  } finally {
    clearTimeout(timer)
  }
}
