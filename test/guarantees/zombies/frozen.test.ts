// Workers that were taken for dead and are not: stopped, or with a blocked event loop. Everybody is issued once.
// Repeat one case: SEED=<seed> npx vitest run test/guarantees/zombies -t '<part of its title>'

import { afterAll, describe, test } from 'vitest'
import { useOwnPostgres } from '#test/guarantees/stores/use-own-postgres.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { isTurnOf, seeds, sized, tally } from '#test/support/size.ts'
import { type FreezeCase, freezeAndGoOn } from './freeze-case.ts'
import type { Point } from './orders.ts'
import { standStillAndGoOn } from './still-case.ts'

const redisUrl = process.env.CREDSYNC_TEST_REDIS ?? null
const counts = { 'freezes survived': 0, 'not survived': 0, 'people issued once each': 0 }

const atDoor: Point[] = [
  'ledger.loadBatch:after',
  'ledger.passDoor:before',
  'ledger.passDoor:after',
  'issuer.invite:before',
  'wire:sent',
  'ledger.endAttempt:before',
]
const elsewhere: Point[] = ['ledger.loseAttempts:before', 'ledger.applyReport:before']

describeWithDatabase('a worker that was taken for dead', () => {
  const own = useOwnPostgres()
  afterAll(() => tally('zombies, frozen', counts))

  describe.concurrent('and was frozen, issues nobody again', () => {
    for (const seed of seeds(sized(1, 20)))
      for (const one of freezeCases(seed))
        declare(
          `${one.way === 'stop' ? 'stopped' : 'blocked'} at ${one.point}, wakes ${one.wakes}, queues in ${one.redisUrl ? 'Redis' : 'PostgreSQL'}, seed ${seed}`,
          () => freezeAndGoOn(one, own()),
        )
  })
})

describeWithDatabase('a worker that stands still with what all others wait for', () => {
  // Inside a sweep, and inside a reading of the report.
  for (const point of ['ledger.takeRunsToRead:before', 'ledger.applyReport:before'] as const)
    test.skipIf(!redisUrl)(
      `at ${point}, stops nobody, and does no harm when it wakes`,
      async () => {
        await standStillAndGoOn(point, redisUrl ?? '')
      },
      240_000,
    )
})

function freezeCases(seed: number): FreezeCase[] {
  const hit = 1 + (seed % 3)
  const one = (point: Point, more: Partial<FreezeCase>): FreezeCase => ({
    point,
    hit,
    way: 'stop',
    wakes: 'at rest',
    cut: 'busy',
    redisUrl: null,
    ...more,
  })
  const atDoorOn = (backend: 'postgres' | 'redis') => atDoor.filter((_, index) => isTurnOf(backend, index))
  const cases = (redisUrl ? atDoorOn('postgres') : atDoor).map((point) => one(point, {}))
  cases.push(...elsewhere.map((point) => one(point, { wakes: 'in mid-run' })))
  cases.push(one('ledger.passDoor:before', { way: 'block', wakes: 'in mid-run' }))
  cases.push(one('ledger.endAttempt:before', { way: 'block', cut: 'all' }))
  if (!redisUrl) return cases
  cases.push(...atDoorOn('redis').map((point) => one(point, { redisUrl })))
  cases.push(one('issuer.invite:before', { way: 'block', wakes: 'in mid-run', redisUrl }))
  return cases
}

function declare(title: string, body: () => Promise<number>): void {
  test(title, async () => {
    counts['not survived']++
    const people = await body()
    counts['people issued once each'] += people
    counts['freezes survived']++
    counts['not survived']--
  }, 240_000)
}
