// Tests the model itself: it must catch every sabotaged decision, or its results prove nothing.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { tally } from '#test/support/suite-size.ts'
import { BrokenPromise } from './check-promises.ts'
import { randomEvents } from './course-events.ts'
import { anyCourse, runCourse } from './run-course.ts'
import { type Sabotage, sabotages } from './sabotage.ts'

const maxSequences = 2_000
// Fixed, because some faults are only caught with certain seeds, and these tests are about the model.
const seed = 1

describe('the model catches a decision that', () => {
  const sequencesNeeded: number[] = []

  test.each(sabotages)('$name', ({ functions, breaks }: Sabotage) => {
    const property = fc.property(anyCourse, randomEvents, (start, commands) => {
      try {
        runCourse(start, commands, functions)
      } catch (error) {
        if (!(error instanceof BrokenPromise) || breaks.test(error.message)) throw error
      }
    })
    const found = fc.check(property, { seed, numRuns: maxSequences, endOnFailure: true })
    expect(found.failed, `not caught by ${found.numRuns} sequences of seed ${seed}`).toBe(true)
    expect(found.errorInstance).toBeInstanceOf(BrokenPromise)
    sequencesNeeded.push(found.numRuns)
    if (sequencesNeeded.length === sabotages.length)
      tally('teeth of the model', {
        'faults caught': sequencesNeeded.length,
        'sequences at most': Math.max(...sequencesNeeded),
      })
  })
})
