// One process of the mutation run, written as a vitest file: collects the tests of many files, and runs them against
// its mutants. It gets its orders from main.ts, and writes one event per line.

import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, TestRunner, test } from 'vitest'
import { allMutants, root } from './mutants.ts'
import type { Event, Order, Orders } from './orders.ts'
import { openStatementSwitch } from './statement-switch.ts'
import { finishSuites, type TestCase, testCasesOf } from './test-cases.ts'

const orders = JSON.parse(readFileSync(process.env.CREDSYNC_SQL_MUTANTS ?? '', 'utf8')) as Orders
const statements = openStatementSwitch()
const mutants = allMutants()
/** How many mutants each test has noticed. */
const noticed = new Map<string, number>()
const write = (event: Event) => appendFileSync(orders.events, `${JSON.stringify(event)}\n`)

for (const file of orders.files) describe(file, () => import(join(root, file)))

test('the mutants', async () => {
  const own = TestRunner.getCurrentTest() as unknown as { file: Parameters<typeof testCasesOf>[0] }
  const cases = new Map(testCasesOf(own.file).map((testCase) => [testCase.name, testCase]))
  cases.delete('the mutants')
  if (orders.mutants) for (const order of orders.mutants) await tryMutant(order, cases)
  else for (const testCase of cases.values()) await record(testCase)
  await finishSuites()
})

async function record(testCase: TestCase): Promise<void> {
  await testCase.prepare()
  statements.executed.clear()
  const start = performance.now()
  const failed = await failureOf(testCase)
  write({ test: testCase.name, ms: performance.now() - start, mutants: [...statements.executed], failed })
}

async function tryMutant({ mutant, tests }: Order, cases: ReadonlyMap<string, TestCase>): Promise<void> {
  // A test that noticed a mutant is likely to notice the next one, which is often in the same statement.
  for (const name of tests.toSorted((a, b) => (noticed.get(b) ?? 0) - (noticed.get(a) ?? 0))) {
    write({ mutant, begins: name })
    const testCase = cases.get(name) as TestCase
    await testCase.prepare()
    statements.active = mutants[mutant] ?? null
    statements.invalid = null
    const failure = await failureOf(testCase)
    statements.active = null
    if (statements.invalid) return write({ mutant, result: 'invalid', by: name, words: statements.invalid })
    if (!failure) continue
    // A mutant may leave something behind that makes later tests fail. Then another process continues.
    const alone = await failureOf(testCase)
    if (alone) throw new Error(`${name} fails without a mutant: ${alone}`)
    noticed.set(name, (noticed.get(name) ?? 0) + 1)
    return write({ mutant, result: 'killed', by: name, words: failure })
  }
  write({ mutant, result: 'survived', by: '', words: '' })
}

async function failureOf(testCase: TestCase): Promise<string | null> {
  try {
    await testCase.run()
    return null
  } catch (error) {
    return String(error).slice(0, 300) || 'failed'
  }
}
