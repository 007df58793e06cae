// A worker that stalls while it holds a lock that the others wait for, and a worker that was itself cut off from the
// database and so cannot tell which of the others has stalled.

import { expect, test } from 'vitest'
import type { ExtensionTools } from '#jobs/extension-jobs.ts'
import { evictStalled, sweepNow } from '#jobs/worker/sweep.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { join } from '#test/support/join-worker.ts'
import { openRecordedLog } from '#test/support/recorded-log.ts'
import { openTestLedger } from '#test/support/test-ledger.ts'
import { until } from '#test/support/until.ts'
import { openWorld } from '#test/support/world.ts'

describeWithDatabase('the lock of a stalled worker', () => {
  test('is freed only by a worker that can tell who stalled, and only where several share the work', async () => {
    await using open = await openTestLedger()
    await using stalled = await join(open, '1')
    await using other = await join(open, '2')
    const held = await stalled.ledger.locks.hold('sweep')
    await stalled.makeSilent()
    const log = openRecordedLog()
    const evict = (canReap: boolean, exclusive = false) => {
      const tools = {
        ledger: other.ledger,
        exclusive,
        instance: '2',
        tuning: { stalledAfterMs: 30_000 },
        log,
      }
      return evictStalled(tools as unknown as ExtensionTools, { lock: null, canReap: () => canReap }, 'sweep')
    }
    // After an outage of the database every worker has been silent, and the first to return cannot tell who stalled.
    await evict(false)
    await evict(true, true)
    // The lock alone would not show it, because the server ends a connection some time after it was asked to.
    expect(log.lines).toEqual([])
    expect(await other.ledger.locks.hold('sweep')).toBe(null)

    await evict(true)
    expect(log.lines).toEqual([['worker.still', { instance: '1', where: 'sweep' }]])
    // The server ends the connection shortly after the call returns.
    await held?.lost
    await held?.release()
    const mine = await other.ledger.locks.hold('sweep')
    expect(mine).not.toBe(null)
    await mine?.release()
  })

  test.each(['notices', 'messages'] as const)(
    'of the %s is freed by the worker that sweeps, so that the others can notify somebody of it',
    async (lock) => {
      await using world = await openWorld()
      await using stalled = await join({ url: world.databaseUrl, database: world.app.database }, '1')
      const held = await stalled.ledger.locks.hold(lock)
      const sweepAsOther = () => sweepNow({ ...world.app, exclusive: false }, { lock: null, canReap: () => true })
      await sweepAsOther()
      expect(await world.app.ledger.locks.hold(lock)).toBe(null)
      await stalled.makeSilent()
      await sweepAsOther()
      await held?.lost
      await held?.release()
      await until('the lock', async () => {
        const mine = await world.app.ledger.locks.hold(lock)
        await mine?.release()
        return mine !== null
      })
    },
  )
})
