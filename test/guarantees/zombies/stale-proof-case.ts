// A worker freezes while it has proof that a batch was not applied. The other worker sends the batch again; this time
// it is applied and its answer is lost. The proof of the first call says nothing about the second.

import { superviseWorker } from '#test/guarantees/stores/supervised-worker.ts'
import { checkRun, untilAllIssued } from '#test/guarantees/stores/until-all-issued.ts'
import { until } from '#test/support/until.ts'
import { openWorld, peopleCsv, type World } from '#test/support/world.ts'
import { cutConnections } from './freeze-case.ts'
import { startWorkerChild } from './worker-child.ts'

const people = 15
const upload = '/recipients/data/upload'

export async function resumeWithStaleProof(): Promise<number> {
  await using world = await openWorld({
    // The second call must not be shown before the first one's proof is used.
    sandbox: { reportLagMs: 1_500 },
    pipeline: { batch: { size: 5 } },
    reconcile: { grace: '2s' },
    invitations: { concurrency: 1, deadline: '2s' },
  })
  world.wire.spoil(upload, 'lose-request')
  await world.receive('list.csv', peopleCsv(people))
  await using zombie = startWorkerChild(world, {
    freeze: { point: 'ledger.absence.sendAgain:before', hit: 1, way: 'stop' },
  })
  await zombie.waitFor('frozen')
  world.wire.spoil(upload, 'lose-answer')
  await cutConnections(world, 'busy')
  await using other = superviseWorker(world.settings)
  await until('the second sending to end without an answer', () => secondEnded(world), { everyMs: 5 })
  zombie.wake()
  await zombie.waitFor('ending')
  await zombie.ended
  const all = await untilAllIssued(world, people)
  await other.stop()
  await checkRun(world, all)
  return all
}

async function secondEnded({ app }: World): Promise<boolean> {
  const unknown = `SELECT FROM attempt WHERE outcome = 'unknown'`
  return app.database.query(unknown).then(
    ({ rowCount }) => rowCount >= 2,
    () => false,
  )
}
