// Runs the tests that a vitest file has collected, any number of times in one process.

import { TestRunner } from 'vitest'

type Step = (...args: never[]) => unknown

interface Task {
  name: string
  type: string
  tasks?: Task[]
  context?: object
}

export interface TestCase {
  name: string
  /** Runs the `beforeAll` hooks of the suites around the test, each once. */
  prepare(): Promise<void>
  /** @throws if the test fails */
  run(): Promise<void>
}

const hooksOf = (suite: Task, name: 'beforeAll' | 'beforeEach' | 'afterEach' | 'afterAll') =>
  (TestRunner.getSuiteHooks(suite as never)?.[name] ?? []) as Step[]

/** Returns all tests in a suite, in the order in which they are written. */
export function testCasesOf(suite: Task, around: readonly Task[] = [], name = ''): TestCase[] {
  return (suite.tasks ?? []).flatMap((task) => {
    const named = `${name} ${task.name}`.trim()
    if (task.type === 'suite') return testCasesOf(task, [...around, task], named)
    return [{ name: named, prepare: () => prepareSuites(around), run: () => runTest(task, around) }]
  })
}

const prepared = new Set<Task>()

async function prepareSuites(suites: readonly Task[]): Promise<void> {
  for (const suite of suites.filter((suite) => !prepared.has(suite))) {
    prepared.add(suite)
    for (const hook of hooksOf(suite, 'beforeAll')) await hook(suite as never)
  }
}

/** Runs the `afterAll` hooks. Call this after the last test. */
export async function finishSuites(): Promise<void> {
  for (const suite of prepared) for (const hook of hooksOf(suite, 'afterAll')) await hook(suite as never)
}

async function runTest(task: Task, suites: readonly Task[]): Promise<void> {
  const ends: (() => unknown)[] = []
  try {
    for (const suite of suites) {
      ends.push(...hooksOf(suite, 'afterEach').map((hook) => () => hook(task.context as never)))
      for (const hook of hooksOf(suite, 'beforeEach')) {
        const end = await hook(task.context as never)
        if (typeof end === 'function') ends.push(end as () => unknown)
      }
    }
    await TestRunner.getTestFn(task as never)?.()
  } finally {
    // Vitest has registered the `onTestFinished` callbacks of the test with the one test that runs all the others.
    const running = TestRunner.getCurrentTest() as { onFinished?: Step[] } | undefined
    const finished = (running?.onFinished?.splice(0) ?? []).map((end) => () => end(task.context as never))
    for (const end of [...ends, ...finished].reverse()) await end()
  }
}
