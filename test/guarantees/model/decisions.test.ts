// Runs random sequences of events against the real decision and a model of the service.

import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { seeds, sized, tally } from '#test/support/suite-size.ts'
import { assertCourses, coursesPerSeed } from './assert-courses.ts'
import { realFunctions } from './course-driver.ts'

const seedsToRun = seeds(sized(8_000, 1_000_000, 2_000) / coursesPerSeed)

test('no sequence of events leads to a row that is accepted twice, falsely reported as issued, or forgotten', async () => {
  const counts = { courses: 0, calls: 0, resends: 0, held: 0, issued: 0 }
  for (const seed of seedsToRun) {
    assertCourses(seed, realFunctions, ({ course }) => {
      counts.courses++
      counts.calls += course.calls.length
      counts.resends += course.takenSteps.filter(({ decision }) => decision.countsAsResend).length
      counts.held += course.rows.filter(({ state }) => state === 'held').length
      counts.issued += course.rows.filter(({ state }) => state === 'issued').length
    })
    await setImmediate()
  }
  tally('model of the decision', counts)
  // A replay runs only one course, which may contain no re-send.
  if (counts.courses > 1) expect(counts.resends).toBeGreaterThan(0)
}, 3_600_000)
