// Runs one case: a worker sends a list in small batches, a store fails during the run, and everyone must still be
// issued once.

import { until } from '#test/support/until.ts'
import { openWorld, peopleCsv, type World } from '#test/support/world.ts'
import type { Outage, PreparedOutage } from './outage.ts'
import { type SupervisedWorker, superviseWorker } from './supervised-worker.ts'
import { checkRun, untilAllIssued } from './until-all-issued.ts'

const people = 60
const size = 5
/** The number of errors that shows that a lasting outage had an effect. */
const minErrors = 3

export interface Survived {
  /** How many times the supervisor had to start a worker. */
  starts: number
  complaints: number
  /** The number of people, each issued once. */
  people: number
}

/** @param seed decides when the outage begins: after 1 to 8 of the 12 batches */
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
  await causeOutage(outage, prepared, world, worker)
  // Lists received after the outage are processed as well. The first try may meet a connection of this process that the
  // outage has ended.
  await until('a list to be received', () =>
    world.receive('after.csv', peopleCsv(size, 10_000)).then(
      () => true,
      (error: Error) => error.name,
    ),
  )
  const all = await untilAllIssued(world, people + size)
  await worker.stop()
  await checkRun(world, all)
  return { starts: worker.instances.length, complaints: worker.errorCount(), people: all }
}

function batchesAccepted({ sandbox }: World, count: number): Promise<void> {
  const accepted = () => sandbox.journal().invitesAccepted
  return until(`${count} batches`, () => accepted() >= count || `${accepted()} batches`, { everyMs: 2 })
}

async function causeOutage(
  outage: Outage,
  prepared: PreparedOutage,
  world: World,
  worker: SupervisedWorker,
): Promise<void> {
  const before = worker.errorCount()
  const newErrors = () => worker.errorCount() - before
  await prepared.begin(world)
  try {
    if (outage.lasts)
      await until('the outage to have an effect', () => newErrors() >= minErrors || `${newErrors()} errors`)
  } finally {
    await prepared.end(world)
  }
}
