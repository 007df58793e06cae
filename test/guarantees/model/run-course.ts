// Runs one course from its first call to its end: first the commands, then a quiet period in which the service works
// normally.

import fc from 'fast-check'
import { restingStates } from '#src/domain/credential/state.ts'
import { aPolicy } from '#test/support/domain-objects.ts'
import { checkFinalStates } from './check-promises.ts'
import { Course, type DecisionFunctions } from './course-driver.ts'
import type { randomEvents } from './course-events.ts'
import { Run } from './course-run.ts'
import { readReport } from './read-report.ts'
import { type Fate, ServiceModel, type World } from './service-model.ts'

/**
 * A service within its limits: items appear before the grace periods end, throttled calls are not applied, and
 * operators decide correctly.
 */
export const assumedLimits: Omit<World, 'rows' | 'resends' | 'sticks'> = {
  // Together with a scan that is up to 20 minutes behind, that is 355 of the 360 minutes, and 55 of the 60.
  lag: 335,
  refusedLag: 35,
  throttlesAfterTaking: false,
  operatorErrs: false,
}

export const anyCourse = fc.record({
  rows: fc.integer({ min: 1, max: 6 }),
  resends: fc.constantFrom(1, 1, 1, 0, 2, 3),
  sticks: fc.boolean(),
  /** Bits: the people for whom the report shows an earlier credential. */
  before: fc.nat(63),
})

export type Start = typeof anyCourse extends fc.Arbitrary<infer T> ? T : never
export type RandomEvents = typeof randomEvents extends fc.Arbitrary<infer T> ? T : never

/**
 * Returns the finished course.
 * @throws BrokenPromise, extended by fast-check
 */
export function runCourse(
  start: Start,
  commands: RandomEvents,
  functions: DecisionFunctions,
  limits = assumedLimits,
): Run {
  const run = openRun(start, functions, limits)
  fc.modelRun(() => ({ model: run.truth, real: run }), commands)
  comeToRest(run)
  return run
}

/** @returns a course for which nothing has been sent yet */
export function openRun({ before, ...start }: Start, functions: DecisionFunctions, limits = assumedLimits): Run {
  const truth = new ServiceModel({ ...start, ...limits })
  // Fewer looks than the default, which saves time: a rule that works with 6 also works with 48.
  const policy = aPolicy({ resends: start.resends, looksWithoutControl: 4, looksWithoutBatch: 6 })
  for (let person = 0; person < start.rows; person++)
    if ((before >> person) & 1) truth.add({ person, appliedAt: -60, shownFrom: -60, status: 'issued' })
  return new Run(new Course(start.rows, policy, functions), truth)
}

const accepted: Fate = { takes: 'all', says: 'accepted', early: true, lag: 0, which: 0 }

/**
 * Runs the course to its end in up to sixty rounds of one scan each, which is enough for all look counts of the rules
 * together.
 * @throws BrokenPromise
 */
export function comeToRest(run: Run): void {
  const { course, truth } = run
  truth.stuckAt = null
  run.pass(10)
  // A new person is sent now, as the control for everything before.
  course.addRow(course.rows.length)
  for (let round = 0; round < 60 && course.rows.some(({ state }) => !restingStates.includes(state)); round++) {
    for (let batch = 0; batch < 8 && course.rows.some((row) => row.state === 'pending'); batch++) run.send(4, accepted)
    for (const call of run.underWay()) run.answer(call)
    run.pass(361)
    for (const item of truth.items)
      if (item.status === 'requested' || item.status === 'in_progress') item.status = 'issued'
    readReport(course, truth.shown(0), true)
    run.check()
  }
  checkFinalStates(course)
}
