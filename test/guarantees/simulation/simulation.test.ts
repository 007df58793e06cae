// Simulates the whole worker in one process, from seeds: in any weather, everyone is issued once, no one is lost and
// nothing false is reported.

import { describe, expect, test } from 'vitest'
import { sabotages } from '#test/guarantees/teeth/sabotage.ts'
import { isQuick, seeds, sized, tally } from '#test/support/suite-size.ts'
import { type Outcome, simulate } from './simulate.ts'
import { weatherNames } from './weather.ts'

function expectGood(outcome: Outcome): void {
  const again = `SEED=${outcome.seed} WEATHER='${outcome.weather}' npm run sim`
  expect({ again, faults: outcome.faults }).toEqual({ again, faults: [] })
}

describe('the simulated worker', () => {
  // In `npm test`, those that catch what nothing else there catches.
  const kept = sabotages.flatMap(({ caughtBy }) => ('seed' in caughtBy ? [caughtBy] : []))
  const weatherOf = (seed: number) => weatherNames[seed % weatherNames.length]
  const all = isQuick ? kept : seeds(sized(24, 100_000)).map((seed) => ({ seed, weather: weatherOf(seed) }))
  const sums = {
    seeds: 0,
    people: 0,
    invitations: 0,
    'unknown outcomes': 0,
    resent: 0,
    held: 0,
    'issued twice, lost or wrongly reported': 0,
  }

  test.each(weatherNames)(
    'keeps every promise in %s weather',
    async (weather) => {
      for (const { seed } of all.filter((each) => each.weather === weather)) {
        const outcome = await simulate(seed, { weather })
        sums.seeds++
        sums.people += outcome.people
        sums.invitations += outcome.invitations
        sums['unknown outcomes'] += outcome.unknown
        sums.resent += outcome.resent
        sums.held += outcome.held
        sums['issued twice, lost or wrongly reported'] += outcome.faults.length
        expectGood(outcome)
      }
    },
    7_200_000,
  )

  test('prints the totals', () => {
    tally('simulation', sums)
    expect(sums.seeds).toBe(all.length)
  })

  test('repeats a run step by step from its seed', async () => {
    // The first seed reads the report rarely, which keeps the run cheap.
    const seed = isQuick ? 1 : 20
    expect(await simulate(seed, { weather: 'everything' })).toEqual(await simulate(seed, { weather: 'everything' }))
  })
})
