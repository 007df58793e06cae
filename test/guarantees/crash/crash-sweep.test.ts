// Kills a worker with SIGKILL at every point of its work and restarts it, with its queues in PostgreSQL and in Redis.
// The sandbox's record shows whether anyone got two credentials or none.
// To repeat one case: POINT=… SEED=… BACKEND=… npx vitest run test/guarantees/crash

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { describeWithDatabase } from '#test/support/database.ts'
import { describeWithRedis } from '#test/support/describe-with-redis.ts'
import { isTurnOf, seeds, sized, tally } from '#test/support/suite-size.ts'
import { chosen } from './chosen-cases.ts'
import { type CompileCache, openCompileCache } from './compile-cache.ts'
import type { CrashCase } from './crash-case.ts'
import { points } from './points.ts'
import { countsOf, sweep } from './sweep.ts'

const hours = 3_600_000

function casesFor(backend: CrashCase['backend']): CrashCase[] {
  // The stores take turns at the points, except at those that only PostgreSQL has.
  const casePoints = points.filter(({ alone }, index) =>
    alone ? backend === 'postgres' : chosen.point !== null || isTurnOf(backend, index),
  )
  return seeds(sized(1, 50)).flatMap((seed) =>
    casePoints.map(({ name }) => ({ seed, point: name, second: null, backend })),
  )
}

describe.skipIf(chosen.second !== null)(
  'a worker that is killed at any point and started again issues one credential to each person',
  () => {
    let cache: CompileCache
    beforeAll(async () => {
      cache = await openCompileCache()
    })
    afterAll(() => cache?.[Symbol.asyncDispose]())

    async function sweepOf(backend: CrashCase['backend'], redisUrl: string | null) {
      const cases = casesFor(backend).filter(chosen.includes)
      const done = await sweep(cache, cases, redisUrl)
      tally(`crash sweep on ${backend}`, countsOf(done))
      expect(done.faults).toEqual([])
      const killedAt = new Set(done.results.flatMap((result) => result.killedAt))
      expect(cases.map((testCase) => testCase.point).filter((point) => !killedAt.has(point))).toEqual([])
    }

    describeWithDatabase('with its queues in PostgreSQL', () => {
      test('at every point', () => sweepOf('postgres', null), 10 * hours)
    })

    describeWithRedis('with its queues in Redis', ({ url }) => {
      test('at every point', () => sweepOf('redis', url), 10 * hours)
    })
  },
)
