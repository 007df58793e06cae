// Many courses by one seed: what fails says how to repeat it.

import fc from 'fast-check'
import { happenings } from './commands.ts'
import type { Run } from './course-run.ts'
import type { Judgement } from './driver.ts'
import { anyCourse, type Happenings, runCourse, type Start } from './run-course.ts'

/** Courses to a seed: few enough for vitest to hear from its worker in between. */
export const coursesPerSeed = 1_000

/**
 * Runs the courses of one seed, of which REPLAY=n repeats the n-th alone.
 * @param after called with each course that came to rest
 * @throws Error with the smallest sequence found, fast-check's seed and path, and the command line that repeats it
 */
export function assertCourses(seed: number, judgement: Judgement, after: (run: Run) => void): void {
  const found = fc.check(propertyOf(judgement, after), parametersOf(seed))
  if (!found.failed) return
  const run = found.counterexamplePath?.split(':')[0]
  const repeat = `SEED=${seed} REPLAY=${run} npx vitest run test/guarantees/model`
  const why = found.errorInstance instanceof Error ? found.errorInstance.message : String(found.errorInstance)
  throw new Error(`${why}\n${fc.defaultReportMessage(found)}\nRepeat and shrink just this one: ${repeat}`)
}

function propertyOf(judgement: Judgement, after: (run: Run) => void) {
  return fc.property(anyCourse, happenings, (start: Start, commands: Happenings) => {
    after(runCourse(start, commands, judgement))
  })
}

function parametersOf(seed: number): fc.Parameters<[Start, Happenings]> {
  const path = process.env.REPLAY
  return path === undefined ? { seed, numRuns: coursesPerSeed } : { seed, path, numRuns: 1 }
}
