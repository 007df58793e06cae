// Workers with a wrong clock, several workers at once, and one that holds an outdated proof. Everybody is issued once.
// Repeat one case: SEED=<seed> npx vitest run test/guarantees/zombies -t '<part of its title>'

import { afterAll, describe, test } from 'vitest'
import { useOwnPostgres } from '#test/guarantees/stores/use-own-postgres.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { seeds, sized, tally } from '#test/support/size.ts'
import { goOnWithWrongClock, refuseWrongClock, workBesideWrongClock } from './clock-case.ts'
import { workAsCrew } from './crew-case.ts'
import { outliveStaleProof } from './stale-proof-case.ts'

const redisUrl = process.env.CREDSYNC_TEST_REDIS ?? null
const counts = { 'wrong clocks': 0, crews: 0, 'outdated proofs': 0, 'not survived': 0, 'people issued once each': 0 }
const rounds = seeds(sized(1, 15))
const offsets = {
  '120 s ahead': 120_000,
  '120 s behind': -120_000,
  'a day ahead': 86_400_000,
  'a day behind': -86_400_000,
}

describeWithDatabase('everybody is issued once', () => {
  const own = useOwnPostgres()
  afterAll(() => tally('zombies, clocks and crews', counts))

  describe.concurrent('by workers of which', () => {
    for (const seed of rounds) {
      for (const [name, ms] of Object.entries(offsets)) {
        const when = `${name}, seed ${seed}`
        declare(`one does not start because its clock is ${when}`, 'wrong clocks', () => refuseWrongClock(ms))
        declare(`the only one finds its clock set ${when}`, 'wrong clocks', () => goOnWithWrongClock(ms))
        if (redisUrl)
          declare(`one has a clock ${when}, and another is right`, 'wrong clocks', () =>
            workBesideWrongClock(ms, redisUrl),
          )
      }
      for (const moment of redisUrl ? [seed * 2, seed * 2 + 1] : [])
        declare(`one is killed and a third comes, moment ${moment}, seed ${seed}`, 'crews', () =>
          workAsCrew(redisUrl ?? '', moment),
        )
      declare(`one froze with a proof that is outdated when it wakes, seed ${seed}`, 'outdated proofs', () =>
        outliveStaleProof(own()),
      )
    }
  })
})

function declare(title: string, kind: 'wrong clocks' | 'crews' | 'outdated proofs', body: () => Promise<number>): void {
  test(title, async () => {
    counts['not survived']++
    const people = await body()
    counts['people issued once each'] += people
    counts[kind]++
    counts['not survived']--
  }, 240_000)
}
