// Runs many courses from one seed and reports how to repeat a failure.

import fc from 'fast-check'
import type { DecisionFunctions } from './course-driver.ts'
import { randomEvents } from './course-events.ts'
import type { Run } from './course-run.ts'
import { anyCourse, type RandomEvents, runCourse, type Start } from './run-course.ts'

/** Courses per seed: few enough that vitest's worker can report progress in between. */
export const coursesPerSeed = 1_000

/**
 * Runs the courses of one seed; REPLAY=n repeats only the n-th.
 * @param after called with each course that came to rest
 * @throws Error with the smallest sequence found, fast-check's seed and path, and the command line that repeats it
 */
export function assertCourses(seed: number, functions: DecisionFunctions, after: (run: Run) => void): void {
  const found = fc.check(propertyOf(functions, after), parametersOf(seed))
  if (!found.failed) return
  const run = found.counterexamplePath?.split(':')[0]
  const repeat = `SEED=${seed} REPLAY=${run} npx vitest run test/guarantees/model`
  const why = found.errorInstance instanceof Error ? found.errorInstance.message : String(found.errorInstance)
  throw new Error(`${why}\n${fc.defaultReportMessage(found)}\nTo repeat and shrink only this course: ${repeat}`)
}

function propertyOf(functions: DecisionFunctions, after: (run: Run) => void) {
  return fc.property(anyCourse, randomEvents, (start: Start, commands: RandomEvents) => {
    after(runCourse(start, commands, functions))
  })
}

function parametersOf(seed: number): fc.Parameters<[Start, RandomEvents]> {
  const path = process.env.REPLAY
  return path === undefined ? { seed, numRuns: coursesPerSeed } : { seed, path, numRuns: 1 }
}
