// T4: the worker that recovers from a kill is killed as well, for pairs of points in either order.
// One case again: POINT=… THEN=… SEED=… BACKEND=… npx vitest run test/guarantees/crash

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { describeWithDatabase } from '#test/support/database.ts'
import { describeWithRedis } from '#test/support/redis.ts'
import { long, seeds, sized, tally } from '#test/support/size.ts'
import type { CrashCase } from './crash-case.ts'
import { type CrashPlace, openCrashPlace } from './crash-place.ts'
import { draw } from './draw.ts'
import { points } from './points.ts'
import { chosen } from './replay.ts'
import { countsOf, sweep } from './sweep.ts'

const hours = 3_600_000
const names = points.filter((point) => point.prelude === null).map((point) => point.name)

/** Every ordered pair, a point with itself included; the seed says on which queue. */
function pairs(seed: number): CrashCase[] {
  const all = names.flatMap((point) => names.map((second) => ({ point, second })))
  return all.map(({ point, second }): CrashCase => {
    const backend = draw(seed, `${point} ${second} backend`, 2) === 0 ? 'postgres' : 'redis'
    return { seed, point, second, backend }
  })
}

function wanted(): CrashCase[] {
  const [seed = 1] = seeds(1)
  const { point, second, backend } = chosen
  if (point !== null && second !== null)
    return (['postgres', 'redis'] as const)
      .filter((each) => backend === null || each === backend)
      .map((each) => ({ seed, point, second, backend: each }))
  const rank = (each: CrashCase) => draw(seed, `${each.point} ${each.second} rank`, 2 ** 32)
  const shuffled = pairs(seed).sort((a, b) => rank(a) - rank(b))
  return shuffled.slice(0, sized(5, shuffled.length))
}

describe.skipIf(chosen.point !== null && chosen.second === null)(
  'a worker that is killed again while it recovers issues each person once',
  () => {
    let place: CrashPlace
    beforeAll(async () => {
      place = await openCrashPlace()
    })
    afterAll(() => place?.[Symbol.asyncDispose]())

    async function killTwice(backend: CrashCase['backend'], redisUrl: string | null) {
      const cases = wanted().filter((each) => each.backend === backend)
      const done = await sweep(place, cases, redisUrl)
      // The second point may lie in work that is done by then; such a case is a single kill, and said to be one.
      const twice = done.results.filter((result) => result.killedAt.length > 1).length
      tally(`double crashes on ${backend}`, { pairs: cases.length, 'killed twice': twice, ...countsOf(done) })
      expect(done.faults).toEqual([])
      if (chosen.point === null) expect(twice).toBeGreaterThan(cases.length / (long ? 4 : 3))
    }

    describeWithDatabase('with its queues in PostgreSQL', () => {
      test('at pairs of points', () => killTwice('postgres', null), 10 * hours)
    })

    describeWithRedis('with its queues in Redis', ({ url }) => {
      test('at pairs of points', () => killTwice('redis', url), 10 * hours)
    })
  },
)
