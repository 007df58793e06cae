// Stores that vanish in the middle of a run: whatever becomes of Redis or PostgreSQL, everybody is issued once.
// Repeat one case: SEED=<seed> npx vitest run test/guarantees/stores -t '<part of its title>'

import { afterAll, describe, test } from 'vitest'
import { describeWithDatabase } from '#test/support/database.ts'
import { seeds, sized, tally } from '#test/support/size.ts'
import type { Outage } from './outage.ts'
import { immediateStop, postgresOutages } from './postgres-outages.ts'
import { redisOutages } from './redis-outages.ts'
import { type Survived, surviveOutage } from './survive-outage.ts'
import { useOwnPostgres } from './use-own-postgres.ts'

const rounds = seeds(sized(1, 30))
const survived: Survived[] = []
let failed = 0
describeWithDatabase('a run whose store vanishes', () => {
  const own = useOwnPostgres()
  afterAll(() => {
    tally('stores that vanish', {
      'outages survived': survived.length,
      'not survived': failed,
      'people issued once each': sum((each) => each.people),
      complaints: sum((each) => each.complaints),
      'workers started again': sum((each) => each.starts - 1),
    })
  })

  describe.concurrent('issues each person once', () => {
    for (const outage of [...redisOutages, ...postgresOutages(own)]) declare(outage)
  })

  // One after the other: each stop hits every database of the server.
  describe('issues each person once', () => {
    for (const backend of ['postgres', 'redis'] as const) declare(immediateStop(own, backend))
  })
})

function declare(outage: Outage): void {
  for (const seed of rounds)
    test(`${outage.name}, seed ${seed}`, async () => {
      failed++
      survived.push(await surviveOutage(outage, seed))
      failed--
    }, 240_000)
}

function sum(of: (each: Survived) => number): number {
  return survived.reduce((total, each) => total + of(each), 0)
}
