// One course from its first sending to its rest: what the commands say, then a quiet time in which the service behaves.

import fc from 'fast-check'
import { restingStates } from '#src/issuance/state.ts'
import { aPolicy } from '#test/support/build.ts'
import type { happenings } from './commands.ts'
import { Run } from './course-run.ts'
import { Course, type Judgement } from './driver.ts'
import { judgeEnd } from './judge.ts'
import { readReport } from './read-report.ts'
import { type Fate, ServiceModel, type World } from './service-model.ts'

/** A service that keeps its word: shown before the graces are over, throttled means not taken, and people tell the truth. */
export const kept: Omit<World, 'rows' | 'resends' | 'sticks'> = {
  // With a reading that is up to 20 minutes behind, that makes 355 of the 360 minutes, and 55 of the 60.
  lag: 335,
  refusedLag: 35,
  throttlesAfterTaking: false,
  personErrs: false,
}

export const anyCourse = fc.record({
  rows: fc.integer({ min: 1, max: 6 }),
  resends: fc.constantFrom<(0 | 1)[]>(1, 1, 1, 0),
  sticks: fc.boolean(),
  /** Bits: whose credential the report shows from before. */
  before: fc.nat(63),
})

export type Start = typeof anyCourse extends fc.Arbitrary<infer T> ? T : never
export type Happenings = typeof happenings extends fc.Arbitrary<infer T> ? T : never

/** @returns the course at rest. @throws BrokenPromise, and what fast-check adds to it */
export function runCourse(start: Start, commands: Happenings, judgement: Judgement, ways = kept): Run {
  const run = openRun(start, judgement, ways)
  fc.modelRun(() => ({ model: run.truth, real: run }), commands)
  comeToRest(run)
  return run
}

/** A course of which nothing was sent yet. */
export function openRun({ before, ...start }: Start, judgement: Judgement, ways = kept): Run {
  const truth = new ServiceModel({ ...start, ...ways })
  // Fewer looks than by default: the rules count them, and what counts to 6 counts to 48.
  const policy = aPolicy({ resends: start.resends, looksWithoutControl: 4, looksWithoutBatch: 6 })
  for (let person = 0; person < start.rows; person++)
    if ((before >> person) & 1) truth.add({ person, takenAt: -60, shownFrom: -60, status: 'issued' })
  return new Run(new Course(start.rows, policy, judgement), truth)
}

const well: Fate = { takes: 'all', says: 'accepted', early: true, lag: 0, which: 0 }

/**
 * Sixty rounds of a look each: enough for every count of looks that the rules know, one after the other.
 * @throws BrokenPromise
 */
export function comeToRest(run: Run): void {
  const { course, truth } = run
  truth.stuckAt = null
  run.pass(10)
  // Somebody new is sent now: the control for everything before.
  course.addRow(course.rows.length)
  for (let round = 0; round < 60 && course.rows.some(({ state }) => !restingStates.includes(state)); round++) {
    for (let batch = 0; batch < 8 && course.rows.some((row) => row.state === 'pending'); batch++) run.send(4, well)
    for (const call of run.underWay()) run.answer(call)
    run.pass(361)
    for (const item of truth.items)
      if (item.status === 'requested' || item.status === 'in_progress') item.status = 'issued'
    readReport(course, truth.shown(0), true)
    run.judge()
  }
  judgeEnd(course)
}
