// One process of the mutation run, as a file of vitest: collects the tests of many files, and runs them for its
// mutants. Its orders come from main.ts; each line that it writes is one event.

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
const write = (event: Event) => appendFileSync(orders.events, `${JSON.stringify(event)}\n`)

for (const file of orders.files) describe(file, () => import(join(root, file)))

test('the mutants', async () => {
  const own = TestRunner.getCurrentTest() as unknown as { file: Parameters<typeof testCasesOf>[0] }
  const cases = new Map(testCasesOf(own.file).map((each) => [each.name, each]))
  cases.delete('the mutants')
  if (orders.mutants) for (const order of orders.mutants) await tryMutant(order, cases)
  else for (const each of cases.values()) await record(each)
  await finishSuites()
})

async function record(each: TestCase): Promise<void> {
  await each.prepare()
  statements.executed.clear()
  const start = performance.now()
  const failed = await failureOf(each)
  write({ test: each.name, ms: performance.now() - start, mutants: [...statements.executed], failed })
}

async function tryMutant({ mutant, tests }: Order, cases: ReadonlyMap<string, TestCase>): Promise<void> {
  for (const name of tests) {
    write({ mutant, begins: name })
    const each = cases.get(name) as TestCase
    await each.prepare()
    statements.active = mutants[mutant] ?? null
    statements.invalid = null
    const failure = await failureOf(each)
    statements.active = null
    if (statements.invalid) return write({ mutant, result: 'invalid', by: name, words: statements.invalid })
    if (!failure) continue
    // A mutant may leave something behind for later tests. Another process continues then.
    const alone = await failureOf(each)
    if (alone) throw new Error(`${name} fails without a mutant: ${alone}`)
    return write({ mutant, result: 'killed', by: name, words: failure })
  }
  write({ mutant, result: 'survived', by: '', words: '' })
}

async function failureOf(each: TestCase): Promise<string | null> {
  try {
    await each.run()
    return null
  } catch (error) {
    return String(error).slice(0, 300) || 'failed'
  }
}
