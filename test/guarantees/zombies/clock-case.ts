// Cases of a worker on a machine with the wrong date: it does not start if it could do harm; otherwise the other
// workers are not affected.

import { expect } from 'vitest'
import { superviseWorker } from '#test/guarantees/stores/supervised-worker.ts'
import { checkRun, untilAllIssued } from '#test/guarantees/stores/until-all-issued.ts'
import { openWorld, peopleCsv } from '#test/support/world.ts'
import { startWorkerChild } from './worker-child.ts'

const people = 30
const options = { pipeline: { batch: { size: 5 } }, invitations: { deadline: '2s' } }

/**
 * Queues in PostgreSQL stamp their locks with each worker's own clock, so a worker with a wrong clock does not start.
 */
export async function refuseWrongClock(aheadMs: number): Promise<number> {
  await using world = await openWorld(options)
  await world.receive('list.csv', peopleCsv(people))
  await using wrong = startWorkerChild(world, { clock: { aheadMs, from: 'start' } })
  expect(await wrong.ended).toBe(3)
  expect(wrong.lines).toEqual([{ kind: 'refused', error: 'ClockSkewError' }])
  expect(world.wire.seen).toEqual([])
  await using right = superviseWorker(world.settings)
  const all = await untilAllIssued(world, people)
  await right.stop()
  await checkRun(world, all)
  return all
}

/** The date changes while the only worker is running, and the worker continues. */
export async function continueWithWrongClock(aheadMs: number): Promise<number> {
  await using world = await openWorld(options)
  await world.receive('list.csv', peopleCsv(people))
  await using wrong = startWorkerChild(world, { clock: { aheadMs, from: 'first batch' } })
  await wrong.waitFor('ready')
  const all = await untilAllIssued(world, people)
  wrong.kill('SIGTERM')
  expect(await wrong.ended).toBe(0)
  await checkRun(world, all)
  return all
}

/** With Redis, several workers run at the same time and one of them has a wrong date. */
export async function workAlongsideWrongClock(aheadMs: number, redisUrl: string): Promise<number> {
  await using world = await openWorld({ ...options, redisUrl })
  await using wrong = startWorkerChild(world, { clock: { aheadMs, from: 'start' } })
  await wrong.waitFor('ready')
  await using right = superviseWorker(world.settings)
  await world.receive('list.csv', peopleCsv(people))
  const all = await untilAllIssued(world, people)
  wrong.kill('SIGTERM')
  expect(await wrong.ended).toBe(0)
  await right.stop()
  await checkRun(world, all)
  return all
}
