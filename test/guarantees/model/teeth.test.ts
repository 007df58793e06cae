// Teeth: what the model must catch. A model that lets a sabotaged decider pass shows nothing.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { tally } from '#test/support/size.ts'
import { happenings } from './commands.ts'
import { BrokenPromise } from './judge.ts'
import { anyCourse, runCourse } from './run-course.ts'
import { type Sabotage, sabotages } from './sabotage.ts'

const within = 2_000
// Always the same: what a fault needs to be caught depends on it, and these tests are about the model.
const seed = 1

describe('a decider is caught that', () => {
  const needed: number[] = []

  test.each(sabotages)('$name', ({ judgement, breaks }: Sabotage) => {
    const property = fc.property(anyCourse, happenings, (start, commands) => {
      try {
        runCourse(start, commands, judgement)
      } catch (error) {
        if (!(error instanceof BrokenPromise) || breaks.test(error.message)) throw error
      }
    })
    const found = fc.check(property, { seed, numRuns: within, endOnFailure: true })
    expect(found.failed, `not caught by ${found.numRuns} sequences of seed ${seed}`).toBe(true)
    expect(found.errorInstance).toBeInstanceOf(BrokenPromise)
    needed.push(found.numRuns)
    if (needed.length === sabotages.length)
      tally('teeth of the model', { 'faults caught': needed.length, 'sequences at most': Math.max(...needed) })
  })
})
