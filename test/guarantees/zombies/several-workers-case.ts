// Runs two workers, lets a third join during the run, and kills one of the first two. Needs Redis, because only then
// may several workers run at the same time.

import { expect } from 'vitest'
import { superviseWorker } from '#test/guarantees/stores/supervised-worker.ts'
import { checkRun, untilAllIssued } from '#test/guarantees/stores/until-all-issued.ts'
import { until } from '#test/support/until.ts'
import { openWorld, peopleCsv, type World } from '#test/support/world.ts'
import { startWorkerChild } from './worker-child.ts'

const people = 120
const size = 5

/** @param seed decides when the third worker joins and when the first is killed */
export async function runSeveralWorkers(redisUrl: string, seed: number): Promise<number> {
  await using world = await openWorld({
    pipeline: { batch: { size } },
    invitations: { concurrency: 2, deadline: '2s' },
    redisUrl,
  })
  const leaseMs = 2_500
  await using doomed = startWorkerChild(world, { leaseMs })
  await using steady = startWorkerChild(world, { leaseMs })
  await Promise.all([doomed.waitFor('ready'), steady.waitFor('ready')])
  await world.receive('list.csv', peopleCsv(people))
  await batches(world, 1 + (seed % 4))
  await using third = superviseWorker(world.settings)
  await batches(world, 3 + (seed % 7))
  doomed.kill('SIGKILL')
  expect(await doomed.ended).toBe(null)
  const all = await untilAllIssued(world, people)
  steady.kill('SIGTERM')
  expect(await steady.ended).toBe(0)
  await third.stop()
  await checkRun(world, all)
  return all
}

function batches({ sandbox }: World, count: number): Promise<void> {
  const accepted = () => sandbox.journal().invitesAccepted
  return until(`${count} batches`, () => accepted() >= count || `${accepted()} batches`, { everyMs: 2 })
}
