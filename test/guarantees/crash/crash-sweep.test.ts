// T3: a worker is killed with SIGKILL at every point of its work, and started again; the two queues take turns with the points, at night each takes all. The sandbox's book is the judge.
// One case again: POINT=… SEED=… BACKEND=… npx vitest run test/guarantees/crash

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { describeWithDatabase } from '#test/support/database.ts'
import { describeWithRedis } from '#test/support/redis.ts'
import { isTurnOf, seeds, sized, tally } from '#test/support/size.ts'
import type { CrashCase } from './crash-case.ts'
import { type CrashPlace, openCrashPlace } from './crash-place.ts'
import { points } from './points.ts'
import { chosen } from './replay.ts'
import { countsOf, sweep } from './sweep.ts'

const hours = 3_600_000

function casesFor(backend: CrashCase['backend']): CrashCase[] {
  const here = points.filter((point, index) =>
    point.alone ? backend === 'postgres' : chosen.point !== null || isTurnOf(backend, index),
  )
  return seeds(sized(1, 50)).flatMap((seed) => here.map(({ name }) => ({ seed, point: name, second: null, backend })))
}

describe.skipIf(chosen.second !== null)(
  'a worker that is killed at any point and started again issues each person once',
  () => {
    let place: CrashPlace
    beforeAll(async () => {
      place = await openCrashPlace()
    })
    afterAll(() => place?.[Symbol.asyncDispose]())

    async function sweepOf(backend: CrashCase['backend'], redisUrl: string | null) {
      const cases = casesFor(backend).filter(chosen.includes)
      const done = await sweep(place, cases, redisUrl)
      tally(`crash sweep on ${backend}`, countsOf(done))
      expect(done.faults).toEqual([])
      const killedAt = new Set(done.results.flatMap((result) => result.killedAt))
      expect(cases.map((each) => each.point).filter((point) => !killedAt.has(point))).toEqual([])
    }

    describeWithDatabase('with its queues in PostgreSQL', () => {
      test('at every point', () => sweepOf('postgres', null), 10 * hours)
    })

    describeWithRedis('with its queues in Redis', ({ url }) => {
      test('at every point', () => sweepOf('redis', url), 10 * hours)
    })
  },
)
