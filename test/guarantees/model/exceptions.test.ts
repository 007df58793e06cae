// The honest exceptions: what the promises rest on, each taken away alone. If one of these no longer happens, the promise has become
// stronger and its papers are to be changed; that a row is taken twice here is no fault of the decision.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { seeds, tally } from '#test/support/size.ts'
import { happenings } from './commands.ts'
import type { Row } from './course-row.ts'
import { ours } from './driver.ts'
import { BrokenPromise } from './judge.ts'
import { readReport } from './read-report.ts'
import { anyCourse, comeToRest, kept, openRun, runCourse } from './run-course.ts'
import type { Fate } from './service-model.ts'

const sequences = 2_000

/** How many of the sequences end with a row taken twice. @throws whatever else is broken */
function doubled(ways: typeof kept): number {
  let count = 0
  const property = fc.property(anyCourse, happenings, (start, commands) => {
    try {
      runCourse(start, commands, ours, ways)
    } catch (error) {
      if (!(error instanceof BrokenPromise && error.message.startsWith('taken twice'))) throw error
      count++
    }
  })
  fc.assert(property, { seed: seeds(1)[0] as number, numRuns: sequences })
  return count
}

describe('a row may be taken twice, and no other promise is broken, where', () => {
  test.each<[string, Partial<typeof kept>]>([
    ['the report shows a request later than the grace', { lag: 1_500 }],
    ['the report shows a part of a refused batch later than its grace', { refusedLag: 3_000 }],
    ['the service answers 429 to what it has taken', { throttlesAfterTaking: true }],
  ])('%s', (name, ways) => {
    const count = doubled({ ...kept, ...ways })
    tally(`exception: ${name}`, { [`of ${sequences.toLocaleString('en')} sequences have a row taken twice`]: count })
    expect(count).toBeGreaterThan(0)
  })
})

const quick: Fate = { takes: 'all', says: 'nothing', early: true, lag: 0, which: 0 }
const start = { rows: 2, resends: 1 as const, sticks: true, before: 0 }

describe('a person who says wrongly that a row was not sent', () => {
  test('has it taken once more: each life of a row is one request', () => {
    const run = openRun({ ...start, rows: 1, resends: 0 }, ours, { ...kept, personErrs: true })
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
    expect(run.truth.items.filter(({ of }) => of?.row === row.id)).toHaveLength(2)
  })
})

describe('a row is not taken twice although', () => {
  test('its batch-mate starts over and lets go of the item that was the sign that their batch had arrived', () => {
    const run = openRun({ ...start, sticks: false }, ours, kept)
    run.send(2, { ...quick, takes: 'trickled' })
    run.pass(400)
    for (const item of run.truth.items) item.status = 'failed'
    readReport(run.course, run.truth.shown(0), true)
    expect(run.course.rows.map(({ state }) => state)).toEqual(['failed', 'unconfirmed'])
    run.startOver(run.course.rows[0] as Row)
    run.send(1, { ...quick, takes: 'lost' })
    expect(() => comeToRest(run)).not.toThrow()
  })

  test('its batch-mate was held before its item came, and held rows claim nothing', () => {
    const run = openRun(start, ours, kept)
    const [first, second] = run.course.rows as [Row, Row]
    // The first row has had its re-send and travels with the second; the report then shows nothing, not even a control.
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
    expect(() => comeToRest(run)).not.toThrow()
  })

  test('one look had no control and the next misses it', () => {
    const run = openRun(start, ours, kept)
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
    const withoutFirst = run.truth.shown(0).filter(({ of }) => of?.row !== 0)
    readReport(run.course, withoutFirst, true)
    expect(() => comeToRest(run)).not.toThrow()
  })
})

describe('a known gap is that a row is taken twice when', () => {
  test('the index is stuck, and the control is an item that somebody made by hand between the baseline and the sending', () => {
    const run = openRun({ ...start, rows: 3 }, ours, kept)
    // The baseline, with the first row.
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
    expect(() => comeToRest(run)).toThrow('taken twice by our sendings: row 1')
  })
})
