// Jobs that an earlier version queued have other keys. They are rejected, and the ledger requests their work again.

import { expect, test } from 'vitest'
import { openPostgresStore } from '#src/platform/queue/postgres-store.ts'
import { systemClock } from '#src/platform/time/clock.ts'
import { completionWait, openCampus } from '#test/support/campus.ts'
import { describeWithDatabase } from '#test/support/database.ts'

const earlier = {
  reconcile: [{ environment: 'development' }, { watch: 'development' }],
  learning: [{ judge: 'campus' }, { ask: 'campus' }, { tell: 'spring' }, { look: 'campus' }, { compare: 'spring' }],
}

describeWithDatabase('an upgrade with jobs of an earlier version in the queue', () => {
  test('issues a credential to everyone, and runs none of these jobs', async () => {
    await using campus = await openCampus({ idle: true })
    const { app, databaseUrl } = campus.world
    await campus.lms.complete(campus.enroll('ada'), campus.course)
    const schema = 'credsync_queue_development'
    const store = await openPostgresStore({ kind: 'postgres', url: databaseUrl, schema }, systemClock)
    for (const [name, jobs] of Object.entries(earlier)) {
      const queue = store.openQueue(name, {})
      for (const job of jobs) await queue.add(name, job)
      await queue.close()
    }
    await store.close()
    // The ledger has already requested these jobs.
    await app.ledger.work.takePoll()
    await app.ledger.watching.take()
    await campus.startWorker()
    await expect.poll(() => campus.states(), completionWait).toEqual(['issued'])
    await expect
      .poll(() => app.queues.depths(), completionWait)
      .toMatchObject({ reconcile: { failed: 2 }, learning: { failed: 5 } })
    const counts = async () => (await app.ledger.deliveries.counts())[0]
    await expect.poll(counts, completionWait).toMatchObject({ verified: 1, pending: 0 })
  })
})
