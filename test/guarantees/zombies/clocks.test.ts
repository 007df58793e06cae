// Tests workers with a wrong clock, several concurrent workers, and one that uses an outdated proof. Everyone is
// issued once.
// To repeat one case: SEED=<seed> npx vitest run test/guarantees/zombies -t '<part of its title>'

import { afterAll, describe, test } from 'vitest'
import { describeWithDatabase } from '#test/support/database.ts'
import { isLong, seeds, sized, tally } from '#test/support/suite-size.ts'
import { continueWithWrongClock, refuseWrongClock, workAlongsideWrongClock } from './clock-case.ts'
import { runSeveralWorkers } from './several-workers-case.ts'
import { resumeWithStaleProof } from './stale-proof-case.ts'

const redisUrl = process.env.CREDSYNC_TEST_REDIS ?? null
const counts = { 'wrong clocks': 0, crews: 0, 'outdated proofs': 0, 'not survived': 0, 'people issued once each': 0 }
const rounds = seeds(sized(1, 15))
const offsets = {
  '120 s behind': -120_000,
  'a day ahead': 86_400_000,
  ...(isLong && { '120 s ahead': 120_000, 'a day behind': -86_400_000 }),
}

describeWithDatabase('everyone is issued once', () => {
  afterAll(() => tally('zombies, clocks and several workers', counts))

  describe.concurrent('by workers of which', () => {
    for (const seed of rounds) {
      for (const [name, ms] of Object.entries(offsets)) {
        const when = `${name}, seed ${seed}`
        declare(`one does not start because its clock is ${when}`, 'wrong clocks', () => refuseWrongClock(ms))
        declare(`the clock of the only one is set ${when}`, 'wrong clocks', () => continueWithWrongClock(ms))
        if (redisUrl)
          declare(`the clock of one is ${when}, and that of another is right`, 'wrong clocks', () =>
            workAlongsideWrongClock(ms, redisUrl),
          )
      }
      for (const moment of redisUrl ? [seed * 2, seed * 2 + 1] : [])
        declare(`one is killed and a third joins, moment ${moment}, seed ${seed}`, 'crews', () =>
          runSeveralWorkers(redisUrl ?? '', moment),
        )
      declare(
        `one freezes with a proof that is outdated when it resumes, seed ${seed}`,
        'outdated proofs',
        resumeWithStaleProof,
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
  })
}
