// One of several workers is stopped with a lock that the work of all needs: the others take it, and it wakes when they have done everything.

import { expect } from 'vitest'
import { comeToRest, judge } from '#test/guarantees/stores/come-to-rest.ts'
import { superviseWorker } from '#test/guarantees/stores/supervised-worker.ts'
import { openWorld, peopleCsv } from '#test/support/world.ts'
import type { Point } from './orders.ts'
import { startWorkerChild } from './worker-child.ts'

const people = 30
const size = 5
const leaseMs = 2_500
/** In seconds what takes half a minute outside. */
const tuning = { stillMs: 3_000, aliveMs: { every: 200, silent: 1_000 } }

export async function standStillAndGoOn(point: Point, redisUrl: string): Promise<void> {
  await using world = await openWorld({
    pipeline: { batch: { size } },
    invitations: { concurrency: 1, deadline: '2s' },
    redisUrl,
  })
  await world.receive('list.csv', peopleCsv(people))
  await using zombie = startWorkerChild(world, { freeze: { point, hit: 1, way: 'stop' }, leaseMs })
  await zombie.hear('frozen')
  await using other = superviseWorker(world.settings, { tuning })
  await comeToRest(world, people)
  expect(other.logged('worker.still')).toBeGreaterThan(0)
  zombie.wake()
  await zombie.hear('awake')
  zombie.kill('SIGTERM')
  await zombie.hear('ending')
  expect(await zombie.ended).toBe(0)
  await other.stop()
  await judge(world, people)
}
