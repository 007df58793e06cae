// Tests workers that are considered dead but are only stopped or have a blocked event loop. Everyone is issued once.
// To repeat one case: SEED=<seed> npx vitest run test/guarantees/zombies -t '<part of its title>'

import { afterAll, describe, test } from 'vitest'
import { describeWithDatabase } from '#test/support/database.ts'
import { isTurnOf, seeds, sized, tally } from '#test/support/suite-size.ts'
import type { Point } from './child-messages.ts'
import { type FreezeCase, freezeAndContinue } from './freeze-case.ts'
import { stallAndContinue } from './stalled-case.ts'

const redisUrl = process.env.CREDSYNC_TEST_REDIS ?? null
const counts = { 'freezes survived': 0, 'not survived': 0, 'people issued once each': 0 }

const sendingPoints: Point[] = [
  'ledger.attempts.load:after',
  'ledger.attempts.claim:before',
  'ledger.attempts.claim:after',
  'issuer.invite:before',
  'wire:sent',
  'ledger.attempts.end:before',
]
const otherPoints: Point[] = ['ledger.attempts.markLost:before', 'ledger.report.apply:before']

describeWithDatabase('a worker that was considered dead', () => {
  afterAll(() => tally('zombies, frozen', counts))

  describe.concurrent('and was frozen, issues no second credential', () => {
    for (const seed of seeds(sized(1, 20)))
      for (const one of freezeCases(seed))
        declare(
          `${one.way === 'stop' ? 'stopped' : 'blocked'} at ${one.point}, wakes ${one.wakes}, queues in ${one.redisUrl ? 'Redis' : 'PostgreSQL'}, seed ${seed}`,
          () => freezeAndContinue(one),
        )
  })
})

describeWithDatabase('a worker that freezes while it holds a lock all others wait for', () => {
  // Inside a sweep, and inside a scan of the report.
  for (const point of ['ledger.work.takeRunsToRead:before', 'ledger.report.apply:before'] as const)
    test.skipIf(!redisUrl)(
      `at ${point}, blocks no one, and does no harm when it resumes`,
      async () => {
        await stallAndContinue(point, redisUrl ?? '')
      },
      900_000,
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
  const sendingPointsOn = (backend: 'postgres' | 'redis') =>
    sendingPoints.filter((_, index) => isTurnOf(backend, index))
  const cases = (redisUrl ? sendingPointsOn('postgres') : sendingPoints).map((point) => one(point, {}))
  cases.push(...otherPoints.map((point) => one(point, { wakes: 'in mid-run' })))
  cases.push(one('ledger.attempts.claim:before', { way: 'block', wakes: 'in mid-run' }))
  cases.push(one('ledger.attempts.end:before', { way: 'block', cut: 'all' }))
  if (!redisUrl) return cases
  cases.push(...sendingPointsOn('redis').map((point) => one(point, { redisUrl })))
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
  })
}
