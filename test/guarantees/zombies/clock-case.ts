// A worker whose machine has the wrong date: one that may do harm does not start, the others do their work as if it were right.

import { expect } from 'vitest'
import { comeToRest, judge } from '#test/guarantees/stores/come-to-rest.ts'
import { superviseWorker } from '#test/guarantees/stores/supervised-worker.ts'
import { openWorld, peopleCsv } from '#test/support/world.ts'
import { startWorkerChild } from './worker-child.ts'

const people = 30
const options = { pipeline: { batch: { size: 5 } }, invitations: { deadline: '2s' } }

/** Queues in PostgreSQL stamp their locks with each worker's own clock, so a worker that is off does not start. */
export async function refuseWrongClock(aheadMs: number): Promise<number> {
  await using world = await openWorld(options)
  await world.receive('list.csv', peopleCsv(people))
  await using wrong = startWorkerChild(world, { clock: { aheadMs, from: 'start' } })
  expect(await wrong.ended).toBe(3)
  expect(wrong.lines).toEqual([{ said: 'refused', error: 'ClockSkewError' }])
  expect(world.wire.seen).toEqual([])
  await using right = superviseWorker(world.settings)
  const all = await comeToRest(world, people)
  await right.stop()
  await judge(world, all)
  return all
}

/** Somebody sets the date under a worker that is the only one: it goes on. */
export async function goOnWithWrongClock(aheadMs: number): Promise<number> {
  await using world = await openWorld(options)
  await world.receive('list.csv', peopleCsv(people))
  await using wrong = startWorkerChild(world, { clock: { aheadMs, from: 'first batch' } })
  await wrong.hear('ready')
  const all = await comeToRest(world, people)
  wrong.kill('SIGTERM')
  expect(await wrong.ended).toBe(0)
  await judge(world, all)
  return all
}

/** With Redis several work at once, and one of them is wrong. */
export async function workBesideWrongClock(aheadMs: number, redisUrl: string): Promise<number> {
  await using world = await openWorld({ ...options, redisUrl })
  await using wrong = startWorkerChild(world, { clock: { aheadMs, from: 'start' } })
  await wrong.hear('ready')
  await using right = superviseWorker(world.settings)
  await world.receive('list.csv', peopleCsv(people))
  const all = await comeToRest(world, people)
  wrong.kill('SIGTERM')
  expect(await wrong.ended).toBe(0)
  await right.stop()
  await judge(world, all)
  return all
}
