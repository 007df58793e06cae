// The suites have teeth: every sabotaged version of the worker is caught by the one that is there for it, and an untouched copy is not.

import { stripVTControlCharacters } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { tally } from '#test/support/size.ts'
import { type Sabotage, sabotages } from './sabotage.ts'
import { openSabotagePlace, type SabotagePlace } from './sabotage-place.ts'

const untouched: Sabotage = {
  name: 'was not touched',
  file: 'jobs/issue.ts',
  find: 'if (!(await ledger.passDoor(door))) return done()',
  replace: 'if (!(await ledger.passDoor(door))) return done()',
  caughtBy: { weather: 'everything', seeds: 3 },
}

describe('the suites catch the worker that', () => {
  let caught = 0
  let place: SabotagePlace
  beforeAll(async () => {
    place = await openSabotagePlace()
  })
  afterAll(() => place?.[Symbol.asyncDispose]())

  test.each(sabotages)(
    '$name',
    async (sabotage) => {
      const { code, output } = await place.runSuite(sabotage)
      // Not by falling over: a fault was found by the judge, or a test has failed.
      expect(stripVTControlCharacters(output)).toMatch(/[1-9]\d* bad seeds|Tests +.*[1-9]\d* failed/)
      expect(code).toBe(1)
      caught++
    },
    120_000,
  )

  const byTests = sabotages.flatMap(({ caughtBy }) => ('tests' in caughtBy ? [caughtBy] : []))
  test.each(byTests)(
    'and "$title" lets the one pass that was not touched',
    async (caughtBy) => {
      const { code, output } = await place.runSuite({ ...untouched, caughtBy })
      // A title that has gone stale skips everything, and passes as well.
      expect(stripVTControlCharacters(output)).toMatch(/Tests +.*[1-9]\d* passed/)
      expect(code).toBe(0)
    },
    120_000,
  )

  test('and the simulation lets the one pass that was not touched', async () => {
    expect(await place.runSuite(untouched)).toMatchObject({ code: 0, output: expect.stringContaining('0 bad seeds') })
    tally('teeth', { 'sabotaged versions': sabotages.length, caught })
  }, 120_000)
})
