// One case: a whole worker runs a list in small batches, a store goes away in mid-run, and everybody is issued once all the same.

import { until } from '#test/support/until.ts'
import { openWorld, peopleCsv, type World } from '#test/support/world.ts'
import { comeToRest, judge } from './come-to-rest.ts'
import type { Outage, PreparedOutage } from './outage.ts'
import { type SupervisedWorker, superviseWorker } from './supervised-worker.ts'

const people = 60
const size = 5
/** So many complaints show that an outage that lasts was felt. */
const enoughComplaints = 3

export interface Survived {
  /** How often the supervisor had to start a worker. */
  starts: number
  complaints: number
  /** All of them issued, once each. */
  people: number
}

/** @param seed moves the moment: the outage begins after 1 to 8 of the 12 batches */
export async function surviveOutage(outage: Outage, seed: number): Promise<Survived> {
  await using prepared = await outage.prepare()
  await using world = await openWorld({
    pipeline: { batch: { size } },
    invitations: { concurrency: 2, deadline: '2s' },
    ...(prepared.redisUrl && { redisUrl: prepared.redisUrl }),
  })
  await world.receive('list.csv', peopleCsv(people))
  await using worker = superviseWorker(world.settings)
  await batchesAccepted(world, 1 + (seed % 8))
  await strike(outage, prepared, world, worker)
  // What comes in after the outage is worked on as well.
  await world.receive('after.csv', peopleCsv(size, 10_000))
  const all = await comeToRest(world, people + size)
  await worker.stop()
  await judge(world, all)
  return { starts: worker.instances.length, complaints: worker.complaints(), people: all }
}

function batchesAccepted({ sandbox }: World, count: number): Promise<void> {
  const accepted = () => sandbox.journal().invitesAccepted
  return until(`${count} batches`, () => accepted() >= count || `${accepted()} batches`, { everyMs: 2 })
}

async function strike(outage: Outage, prepared: PreparedOutage, world: World, worker: SupervisedWorker): Promise<void> {
  const before = worker.complaints()
  const felt = () => worker.complaints() - before
  await prepared.begin(world)
  try {
    if (outage.lasts)
      await until('the outage to be felt', () => felt() >= enoughComplaints || `${felt()} complaints`, { ms: 60_000 })
  } finally {
    await prepared.end(world)
  }
}
