// Interrupts stores in the middle of a run: whatever happens to Redis or PostgreSQL, everyone is issued once.
// To repeat one case: SEED=<seed> npx vitest run test/guarantees/stores -t '<part of its title>'

import { afterAll, describe, test } from 'vitest'
import { describeWithDatabase } from '#test/support/database.ts'
import { seeds, sized, tally } from '#test/support/suite-size.ts'
import type { Outage } from './outage.ts'
import { immediateStop, postgresOutages } from './postgres-outages.ts'
import { redisOutages } from './redis-outages.ts'
import { type Survived, surviveOutage } from './survive-outage.ts'
import { useOwnPostgres } from './use-own-postgres.ts'

const rounds = seeds(sized(1, 30))
const survived: Survived[] = []
let failed = 0
describeWithDatabase('a run whose store becomes unavailable', () => {
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

  describe.concurrent('issues exactly one credential to each person', () => {
    for (const outages of [redisOutages, postgresOutages(own)]) outages.forEach(declare)
  })

  // One after the other: each stop affects every database of the server.
  describe('issues exactly one credential to each person', () => {
    for (const backend of ['postgres', 'redis'] as const) declare(immediateStop(own, backend))
  })
})

function declare(outage: Outage): void {
  for (const seed of rounds)
    test(`${outage.name}, seed ${seed}`, async () => {
      failed++
      survived.push(await surviveOutage(outage, seed))
      failed--
    })
}

function sum(of: (each: Survived) => number): number {
  return survived.reduce((total, each) => total + of(each), 0)
}
