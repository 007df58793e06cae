// The known exceptions: drops the assumptions behind the promises, one at a time. If one of these tests no longer finds
// a row that is accepted twice, the promise has become stronger and the documents must be updated. A row accepted twice
// here is not a fault of the decision.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { seeds, sized, tally } from '#test/support/suite-size.ts'
import { BrokenPromise } from './check-promises.ts'
import { realFunctions } from './course-driver.ts'
import { randomEvents } from './course-events.ts'
import type { Row } from './course-row.ts'
import { readReport } from './read-report.ts'
import { anyCourse, assumedLimits, comeToRest, openRun, runCourse } from './run-course.ts'
import type { Fate } from './service-model.ts'

const sequences = sized(2_000, 2_000, 400)

/**
 * Counts the sequences that end with a row accepted twice.
 * @throws if any other promise is broken
 */
function countAcceptedTwice(limits: typeof assumedLimits): number {
  let count = 0
  const property = fc.property(anyCourse, randomEvents, (start, commands) => {
    try {
      runCourse(start, commands, realFunctions, limits)
    } catch (error) {
      if (!(error instanceof BrokenPromise && error.message.startsWith('accepted twice'))) throw error
      count++
    }
  })
  fc.assert(property, { seed: seeds(1)[0] as number, numRuns: sequences })
  return count
}

describe('a row may be accepted twice, and no other promise is broken, where', () => {
  test.each<[string, Partial<typeof assumedLimits>]>([
    ['the report shows a request later than the grace period', { lag: 1_500 }],
    ['the report shows a part of a refused batch later than its grace period', { refusedLag: 3_000 }],
    ['the service answers 429 to what it has taken', { throttlesAfterTaking: true }],
  ])('%s', (name, limits) => {
    const count = countAcceptedTwice({ ...assumedLimits, ...limits })
    tally(`exception: ${name}`, { [`of ${sequences.toLocaleString('en')} sequences have a row taken twice`]: count })
    expect(count).toBeGreaterThan(0)
  })
})

const quick: Fate = { takes: 'all', says: 'nothing', early: true, lag: 0, which: 0 }
const start = { rows: 2, resends: 1 as const, sticks: true, before: 0 }

describe('an operator who wrongly says that a row was not sent', () => {
  test('causes one more request: a row that starts over is requested again', () => {
    const run = openRun({ ...start, rows: 1, resends: 0 }, realFunctions, { ...assumedLimits, operatorErrs: true })
    run.tick()
    run.truth.stuckAt = run.truth.now
    run.send(1, quick)
    for (let look = 0; look < 2; look++) {
      run.pass(400)
      readReport(run.course, run.truth.shown(0), true)
    }
    const [row] = run.course.rows as [Row]
    expect(row.state).toBe('held')
    run.resolve(row)
    comeToRest(run)
    expect(run.truth.items.filter(({ createdBy }) => createdBy?.row === row.id)).toHaveLength(2)
  })
})

/**
 * Runs the course to its end. Returns how often the service has accepted each row.
 * @throws BrokenPromise
 */
function acceptances(run: ReturnType<typeof openRun>): number[] {
  comeToRest(run)
  return run.course.rows.map(({ id }) => run.truth.items.filter(({ createdBy }) => createdBy?.row === id).length)
}

describe('a row is not accepted twice although', () => {
  test('its batch-mate starts over and releases the item that showed that their batch had arrived', () => {
    const run = openRun({ ...start, sticks: false }, realFunctions, assumedLimits)
    run.send(2, { ...quick, takes: 'trickled' })
    run.pass(400)
    for (const item of run.truth.items) item.status = 'failed'
    readReport(run.course, run.truth.shown(0), true)
    expect(run.course.rows.map(({ state }) => state)).toEqual(['failed', 'unconfirmed'])
    run.startOver(run.course.rows[0] as Row)
    run.send(1, { ...quick, takes: 'lost' })
    // The first row was started over after the service had given it up.
    expect(acceptances(run)).toEqual([2, 1, 1])
  })

  test('its batch-mate was held before its item appeared, and held rows claim nothing', () => {
    const run = openRun(start, realFunctions, assumedLimits)
    const [first, second] = run.course.rows as [Row, Row]
    // The first row has used up its re-send and is in one batch with the second; the report then shows nothing, not
    // even a control.
    first.resends = 1
    run.tick()
    run.truth.stuckAt = run.truth.now
    run.tick()
    run.send(2, { ...quick, takes: 'trickled' })
    for (let look = 0; look < 2; look++) {
      run.pass(400)
      readReport(run.course, run.truth.shown(0), true)
    }
    expect([first.state, second.state]).toEqual(['held', 'unconfirmed'])
    expect(acceptances(run)).toEqual([1, 1, 1])
  })

  test('one scan had no control and the next does not show the row', () => {
    const run = openRun(start, realFunctions, assumedLimits)
    run.tick()
    run.truth.stuckAt = run.truth.now
    run.tick()
    run.send(1, quick)
    run.pass(400)
    readReport(run.course, run.truth.shown(0), true)
    run.send(1, { ...quick, says: 'accepted' })
    for (const call of run.underWay()) run.answer(call)
    run.truth.stuckAt = null
    run.pass(400)
    const withoutFirst = run.truth.shown(0).filter(({ createdBy }) => createdBy?.row !== 0)
    readReport(run.course, withoutFirst, true)
    expect(acceptances(run)).toEqual([1, 1, 1])
  })
})

describe('a known gap is that a row is accepted twice when', () => {
  test('the index is stuck, and the control is an item issued by hand between the baseline and the call', () => {
    const run = openRun({ ...start, rows: 3 }, realFunctions, assumedLimits)
    // Sending the first row takes the baseline.
    run.send(1, { ...quick, says: 'not sent', takes: 'lost' })
    run.truth.add({ person: 2 })
    run.tick()
    run.truth.stuckAt = run.truth.now
    run.send(1, quick)
    run.pass(2)
    run.send(1, { ...quick, says: 'accepted' })
    for (const call of run.underWay()) run.answer(call)
    for (let look = 0; look < 2; look++) {
      run.pass(400)
      readReport(run.course, run.truth.shown(0), true)
    }
    expect(() => comeToRest(run)).toThrow('accepted twice because of our calls: row 1')
  })
})
