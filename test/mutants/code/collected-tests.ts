// Takes the place of the package `vitest` while mutants are run: it collects tests instead of running them, so that one
// process can run a single test thousands of times. `expect` and `vi` are vitest's own.

export { expect, vi } from 'vitest'

type Step = () => unknown
// biome-ignore lint/suspicious/noExplicitAny: the types of tests are checked where they are written
type Body = (...values: any[]) => unknown

interface Suite {
  parent: Suite | null
  before: Step[]
  after: Step[]
  isSkipped: boolean
}

export interface CollectedTest {
  name: string
  suite: Suite
  body: Step
}

const topLevel = (): Suite => ({ parent: null, before: [], after: [], isSkipped: false })
let suite = topLevel()
let collected: CollectedTest[] = []
let finished: Step[] = []

/** @returns the tests that `load`, which imports one test file, declares */
export async function collectTests(load: () => Promise<unknown>): Promise<CollectedTest[]> {
  suite = topLevel()
  collected = []
  await load()
  return collected
}

/** Runs one test with the hooks around it. What is for a whole suite is done again for each test. */
export async function runTest({ suite, body }: CollectedTest): Promise<void> {
  const suites: Suite[] = []
  for (let each: Suite | null = suite; each; each = each.parent) suites.unshift(each)
  finished = []
  try {
    for (const { before } of suites) for (const step of before) await step()
    await body()
  } finally {
    for (const step of finished.toReversed()) await step()
    for (const { after } of suites.toReversed()) for (const step of after.toReversed()) await step()
  }
}

export function test(name: string, ...rest: unknown[]): void {
  const body = rest.find((each) => typeof each === 'function') as Body
  if (!suite.isSkipped) collected.push({ name, suite, body: () => body({}) })
}

export function describe(name: string, ...rest: unknown[]): void {
  const body = rest.find((each) => typeof each === 'function') as Body
  const parent = suite
  suite = { parent, before: [], after: [], isSkipped: parent.isSkipped }
  try {
    const promise = body()
    if (promise instanceof Promise) throw new Error(`The suite ${name} is declared asynchronously.`)
  } finally {
    suite = parent
  }
}

const skip = (): void => {}
type Declare = (name: string, ...rest: unknown[]) => void
const forEachRow = (declare: Declare) => (rows: readonly unknown[]) => (name: string, body: Body) => {
  for (const row of rows) declare(name, () => (Array.isArray(row) ? body(...row) : body(row)))
}

test.skip = skip
test.each = forEachRow(test)
test.skipIf = (condition: unknown) => (condition ? skip : test)
test.runIf = (condition: unknown) => (condition ? test : skip)
describe.skip = skip
describe.each = forEachRow(describe)
describe.skipIf = (condition: unknown) => (condition ? skip : describe)
describe.runIf = (condition: unknown) => (condition ? describe : skip)

export const beforeAll = (step: Step): void => void suite.before.push(step)
export const beforeEach = beforeAll
export const afterAll = (step: Step): void => void suite.after.push(step)
export const afterEach = afterAll
export const onTestFinished = (step: Step): void => void finished.push(step)
