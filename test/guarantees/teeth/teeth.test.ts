// Tests the suites themselves: each sabotaged version of the worker is caught by its suite, and an unchanged copy
// passes.

import { stripVTControlCharacters } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { tally } from '#test/support/suite-size.ts'
import { type Sabotage, sabotages } from './sabotage.ts'
import { openSabotagedCopy, type SabotagedCopy } from './sabotaged-copy.ts'

const unchanged: Sabotage = {
  name: 'is unchanged',
  file: 'jobs/send-once.ts',
  find: 'const claimed = await claim()',
  replace: 'const claimed = await claim()',
  // A seed that reads the report rarely, which keeps the run cheap.
  caughtBy: { weather: 'everything', seed: 20 },
}

/** Each case runs a whole suite; this limit ends a suite that hangs. */
const suiteMs = 900_000

describe('the suites catch the worker that', () => {
  let caught = 0
  let copy: SabotagedCopy
  beforeAll(async () => {
    copy = await openSabotagedCopy()
  })
  afterAll(async () => {
    tally('teeth', { 'sabotaged versions': sabotages.length, caught })
    await copy?.[Symbol.asyncDispose]()
  })

  test.each(sabotages)(
    '$name',
    async (sabotage) => {
      const { code, output } = await copy.runSuite(sabotage)
      // The output must show a broken promise or a failed test, not merely a crash.
      expect(stripVTControlCharacters(output)).toMatch(/[1-9]\d* bad seeds|Tests +.*[1-9]\d* failed/)
      expect(code).toBe(1)
      caught++
    },
    suiteMs,
  )

  test('and the simulation accepts the unchanged version', async () => {
    expect(await copy.runSuite(unchanged)).toMatchObject({ code: 0, output: expect.stringContaining('0 bad seeds') })
  })
})
