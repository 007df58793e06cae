// T1: sequences of what can happen to a course, the real decision against a model of the service.

import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { seeds, sized, tally } from '#test/support/size.ts'
import { assertCourses, coursesPerSeed } from './assert-courses.ts'
import { ours } from './driver.ts'

const wanted = seeds(sized(20_000, 1_000_000) / coursesPerSeed)

test('no sequence of happenings makes the service take a row twice, a row be told issued that is not, or one be left', async () => {
  const counts = { courses: 0, calls: 0, resends: 0, held: 0, issued: 0 }
  for (const seed of wanted) {
    assertCourses(seed, ours, ({ course }) => {
      counts.courses++
      counts.calls += course.calls.length
      counts.resends += course.taken.filter(({ decision }) => decision.countsAsResend).length
      counts.held += course.rows.filter(({ state }) => state === 'held').length
      counts.issued += course.rows.filter(({ state }) => state === 'issued').length
    })
    await setImmediate()
  }
  tally('model of the decision', counts)
  // A replay is one course, and need not send again.
  if (counts.courses > 1) expect(counts.resends).toBeGreaterThan(0)
}, 3_600_000)
