// Gates close when a worker or a command stops. A job that waits at a gate then returns to the queue without an error.

import { expect, test } from 'vitest'
import { processorsFor } from '#jobs/processors.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { findRevocation, openIssuedWorld, requestRevocation } from '#test/support/revocation-steps.ts'

describeWithDatabase('a job whose gates are closed', () => {
  test('returns to the queue for the next worker, without an error', async () => {
    await using world = await openIssuedWorld(1)
    const id = await requestRevocation(world, 1)
    await world.app.ledger.poller.schedule(0, 0)
    const faults: object[] = []
    const log = {
      ...world.app.log,
      event: (name: string, fields: object) => void (name === 'fault' && faults.push(fields)),
    }
    await world.app.gates.stop()
    const { reconcile } = processorsFor({ ...world.app, log } as never)
    const verdict = await reconcile(
      { kind: 'follow', environment: world.app.ledger.environment },
      { signal: new AbortController().signal },
    )
    expect(verdict).toMatchObject({ kind: 'snooze', why: 'the worker is stopping' })
    expect(faults).toEqual([])
    expect((await findRevocation(world, id)).state).toBe('wanted')
  })
})
