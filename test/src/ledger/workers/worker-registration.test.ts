// How workers register, exclude each other, and lose a lock when they stall.

import { describe, expect, test } from 'vitest'
import { registeredWorkers } from '#src/ledger/workers/worker-registration.ts'
import type { Session } from '#src/platform/database/database.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { join, workerRecord } from '#test/support/join-worker.ts'
import { openTestLedger } from '#test/support/test-ledger.ts'
import { until } from '#test/support/until.ts'

describeWithDatabase('a worker', () => {
  test('is listed for as long as it holds its lock', async () => {
    await using open = await openTestLedger()
    const { ledger, database } = open
    expect(await registeredWorkers(database)).toEqual([])
    const lock = await ledger.locks.hold('worker')
    if (!lock) throw new Error('The lock is not free.')
    await ledger.workers.record(workerRecord, lock)
    expect(await registeredWorkers(database)).toEqual([
      { ...workerRecord, environment: ledger.environment, startedAt: expect.any(Date), shares: false },
    ])
    await lock.release()
    expect(await registeredWorkers(database)).toEqual([])
  })

  test('that shares a Redis is listed with the others, and is dead when its lock is released and its heartbeat is old', async () => {
    await using open = await openTestLedger()
    const { ledger, database } = open
    const shown = async () => (await registeredWorkers(database)).map(({ pid, shares }) => [pid, shares])
    const [one, two] = [await join(open, '1'), await join(open, '2')]
    expect(await shown()).toEqual([
      [1, true],
      [2, true],
    ])

    await one.makeSilent()
    expect(await ledger.workers.dead(10_000)).toEqual([])
    await one.leave()
    expect(await shown()).toEqual([[2, true]])
    expect(await ledger.workers.dead(10_000)).toEqual(['1'])
    expect(await ledger.workers.noteAlive('1')).toBe(true)
    expect(await ledger.workers.dead(10_000)).toEqual([])

    await one.makeSilent()
    await ledger.workers.forget(['1', '2'])
    expect(await ledger.workers.dead(10_000)).toEqual([])
    expect(await ledger.workers.noteAlive('1')).toBe(false)
    expect(await shown()).toEqual([[2, true]])
    await two.leave()
  })
})

describeWithDatabase('a worker with Redis and one without', () => {
  test('exclude each other, whichever starts first', async () => {
    await using open = await openTestLedger()
    const { ledger } = open
    const [one, two] = [await join(open, '1'), await join(open, '2')]
    expect(await ledger.locks.hold('worker')).toBe(null)
    await one.leave()
    expect(await ledger.locks.hold('worker')).toBe(null)
    await two.leave()
    const alone = await ledger.locks.hold('worker')
    expect(alone).not.toBe(null)
    expect(await ledger.workers.join('3')).toBe('alone')
    await alone?.release()
    const three = (await ledger.workers.join('3')) as Session
    expect(await ledger.workers.join('3')).toBe(null)
    await three.release()
  })

  test('are not confused with each other because of the lock that both hold', async () => {
    await using open = await openTestLedger()
    const { ledger, database } = open
    await using _one = await join(open, '1')
    // The row of an exclusive worker that ended long ago. Another connection has the process id of its connection now.
    const session = (await ledger.workers.join('2')) as Session
    await ledger.workers.record(workerRecord, session)
    expect((await registeredWorkers(database)).map(({ shares }) => shares)).toEqual([true])
    await session.release()
  })
})

describeWithDatabase('workers whose queues are in different stores', () => {
  test('are detected until they report the same store', async () => {
    await using open = await openTestLedger()
    await using one = await join(open, '1', { store: 'one' })
    await using two = await join(open, '2', { store: 'two' })
    expect(await two.ledger.workers.withOtherStore('2')).toEqual(['1'])
    await one.ledger.workers.noteStore('1', 'two')
    expect(await two.ledger.workers.withOtherStore('2')).toEqual([])
    await one.ledger.workers.noteStore('1', 'three')
    await one.leave()
    expect(await two.ledger.workers.withOtherStore('2')).toEqual([])
  })
})

describeWithDatabase('a lock that all workers need', () => {
  describe.each(['sweep', 'scan', 'notices'] as const)('%s', (lock) => {
    test('is taken from a stalled worker, and only from the worker that holds it', async () => {
      await using open = await openTestLedger()
      await using stalled = await join(open, '1')
      await using other = await join(open, '2')
      const held = await stalled.ledger.locks.hold(lock)
      const terminate = () => other.ledger.workers.terminateStalled(lock, '2', 30_000)
      expect(await terminate()).toEqual([])
      expect(await other.ledger.locks.hold(lock)).toBe(null)

      await stalled.makeSilent()
      expect(await other.ledger.workers.terminateStalled(lock === 'sweep' ? 'scan' : 'sweep', '2', 30_000)).toEqual([])
      expect(await stalled.ledger.workers.terminateStalled(lock, '1', 30_000)).toEqual([])
      expect(await terminate()).toEqual(['1'])
      await held?.lost
      await held?.release()
      // The client learns of its end before the server has released the lock.
      await until('the lock is free', async () => {
        const mine = await other.ledger.locks.hold(lock)
        await mine?.release()
        return mine !== null
      })
      // The connection that registers it still exists, so the worker is not dead.
      expect(await registeredWorkers(open.database)).toHaveLength(2)
      expect(await terminate()).toEqual([])
    })

    test('is not taken from a worker of the other environment', async () => {
      await using open = await openTestLedger()
      await using stalled = await join(open, '1', { environment: 'production' })
      await using other = await join(open, '2')
      const held = await stalled.ledger.locks.hold(lock)
      await stalled.makeSilent()
      expect(await other.ledger.workers.terminateStalled(lock, '2', 30_000)).toEqual([])
      expect(await stalled.ledger.locks.hold(lock)).toBe(null)
      await held?.release()
    })
  })
})
