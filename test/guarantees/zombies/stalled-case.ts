// Stops one of several workers while it holds a lock that all need: the others take the lock over, and the stopped
// worker resumes after they have finished.

import { expect } from 'vitest'
import { superviseWorker } from '#test/guarantees/stores/supervised-worker.ts'
import { checkRun, untilAllIssued } from '#test/guarantees/stores/until-all-issued.ts'
import { openWorld, peopleCsv } from '#test/support/world.ts'
import type { Point } from './child-messages.ts'
import { startWorkerChild } from './worker-child.ts'

const people = 30
const size = 5
const leaseMs = 2_500
/** Shortens to seconds what takes half a minute in production. */
const tuning = { stalledAfterMs: 3_000, aliveMs: { every: 200, silent: 1_000 } }

export async function stallAndContinue(point: Point, redisUrl: string): Promise<void> {
  await using world = await openWorld({
    pipeline: { batch: { size } },
    invitations: { concurrency: 1, deadline: '2s' },
    redisUrl,
  })
  await world.receive('list.csv', peopleCsv(people))
  await using zombie = startWorkerChild(world, { freeze: { point, hit: 1, way: 'stop' }, leaseMs })
  await zombie.waitFor('frozen')
  await using other = superviseWorker(world.settings, { tuning })
  const issued = await untilAllIssued(world, people)
  expect(other.logged('worker.still')).toBeGreaterThan(0)
  zombie.wake()
  await zombie.waitFor('awake')
  zombie.kill('SIGTERM')
  await zombie.waitFor('ending')
  expect(await zombie.ended).toBe(0)
  await other.stop()
  await checkRun(world, issued)
}
