// Gates close when a worker or a command ends: what waited at one goes back to the queue, and no fault is told.

import { expect, test } from 'vitest'
import { processorsFor } from '#jobs/processors.ts'
import { describeWithDatabase } from './support/database.ts'
import { find, issued, want } from './support/revoking.ts'

describeWithDatabase('a story whose gates are closed', () => {
  test('goes back for the next worker, and is no fault', async () => {
    await using world = await issued(1)
    const id = await want(world, 1)
    await world.app.ledger.schedulePoller(0, 0)
    const faults: object[] = []
    const log = {
      ...world.app.log,
      event: (name: string, fields: object) => void (name === 'fault' && faults.push(fields)),
    }
    await world.app.gates.stop()
    const { reconcile } = processorsFor({ ...world.app, log } as never)
    const verdict = await reconcile(
      { environment: world.app.ledger.environment },
      { signal: new AbortController().signal },
    )
    expect(verdict).toMatchObject({ kind: 'snooze', why: 'the worker is stopping' })
    expect(faults).toEqual([])
    expect((await find(world, id)).state).toBe('wanted')
  })
})
