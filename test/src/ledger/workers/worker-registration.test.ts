// How workers register, exclude each other, and lose a lock when they stall.

import { describe, expect, test } from 'vitest'
import { openWholeLedger } from '#src/app/whole-ledger.ts'
import { registeredWorkers, workerLockName } from '#src/ledger/workers/worker-registration.ts'
import { openDatabase, type Session } from '#src/platform/database/database.ts'
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

describeWithDatabase('the registry of workers', () => {
  test('lists those of each environment together, the one that has run longest first', async () => {
    await using open = await openTestLedger()
    await using _elsewhere = await join(open, '1', { environment: 'production' })
    await using one = await join(open, '2')
    await using _two = await join(open, '3')
    await one.ledger.workers.record({ ...workerRecord, pid: 4 }, one.session, workerLockName('2'))
    expect((await registeredWorkers(open.database)).map(({ pid }) => pid)).toEqual([3, 4, 1])
  })

  test('does not list a worker that has ended, if the next one holds its lock', async () => {
    await using open = await openTestLedger()
    const { ledger, database } = open
    await using otherProcess = openDatabase(open.url)
    const first = (await (await openWholeLedger(otherProcess, 'development')).locks.hold('worker')) as Session
    await ledger.workers.record(workerRecord, first)
    await first.release()
    const next = (await ledger.locks.hold('worker')) as Session
    expect(await registeredWorkers(database)).toEqual([])
    await ledger.workers.record({ ...workerRecord, pid: 8 }, next)
    expect((await registeredWorkers(database)).map(({ pid }) => pid)).toEqual([8])
    await next.release()
  })

  test('does not list a worker that has ended, if a worker of another database now has its connection’s process id', async () => {
    await using open = await openTestLedger()
    await using neighbour = await openTestLedger()
    await using other = await join(neighbour, '1')
    await using ended = await join(open, '1')
    await ended.leave()
    const { rows } = await other.session.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
    await open.database.query('UPDATE worker SET backend = $1', [rows[0]?.pid])
    expect(await registeredWorkers(neighbour.database)).toHaveLength(1)
    expect(await registeredWorkers(open.database)).toEqual([])
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
  describe.each(['sweep', 'scan'] as const)('%s', (lock) => {
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

    test('is not taken from a worker that waits for it, or that is alive', async () => {
      await using open = await openTestLedger()
      await using stalled = await join(open, '1')
      await using other = await join(open, '2')
      await using alive = await join(open, '3')
      const held = (await alive.ledger.locks.hold(lock)) as Session
      const waiting = stalled.ledger.locks.withLock(lock, async () => 'waited')
      await until('the stalled worker to wait for the lock', async () => {
        const { rowCount } = await open.database.query(
          `SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
        )
        return rowCount > 0
      })
      await stalled.makeSilent()
      expect(await other.ledger.workers.terminateStalled(lock, '2', 30_000)).toEqual([])
      await held.release()
      expect(await waiting).toBe('waited')
    })
  })
})
