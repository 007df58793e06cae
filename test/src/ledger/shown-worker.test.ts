import { describe, expect, test } from 'vitest'
import { openDatabase, type Session } from '#src/database/database.ts'
import { openLedger } from '#src/ledger/ledger.ts'
import { lockOf, shownWorkers, showWorker } from '#src/ledger/shown-worker.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { openTestLedger, type TestLedger } from '#test/support/ledger.ts'

const self = { host: 'here', pid: 7, configuration: 'a hash', store: null }

/** A worker that shares a Redis, on connections of its own. */
async function join(open: TestLedger, instance: string, { environment = 'development', store = 'one' } = {}) {
  const database = openDatabase(open.url, { instance })
  const ledger = await openLedger(database, environment)
  const session = (await ledger.joinWorkers(instance)) as Session
  await ledger.showWorker({ ...self, pid: Number(instance), store }, session, lockOf(instance))
  const silent = () =>
    open.database.query(`UPDATE worker SET seen_at = seen_at - interval '1 minute' WHERE lock = $1`, [lockOf(instance)])
  let left = false
  const leave = async () => {
    if (left) return
    left = true
    await session.release()
    await database.close()
  }
  return { ledger, session, silent, leave, [Symbol.asyncDispose]: leave }
}

describeWithDatabase('a worker', () => {
  test('is shown for as long as it holds its lock, and no longer', async () => {
    await using open = await openTestLedger()
    const { ledger, database } = open
    expect(await shownWorkers(database)).toEqual([])
    const lock = await ledger.holdLock('worker')
    if (!lock) throw new Error('The lock is not free.')
    await showWorker(lock, ledger.environment, self, 'worker')
    expect(await shownWorkers(database)).toEqual([
      { ...self, environment: ledger.environment, startedAt: expect.any(Date), shares: false },
    ])
    await lock.release()
    expect(await shownWorkers(database)).toEqual([])
  })

  test('that works beside others is shown beside them, and is dead when its lock is gone and it has been silent', async () => {
    await using open = await openTestLedger()
    const { ledger, database } = open
    const shown = async () => (await shownWorkers(database)).map(({ pid, shares }) => [pid, shares])
    const [one, two] = [await join(open, '1'), await join(open, '2')]
    expect(await shown()).toEqual([
      [1, true],
      [2, true],
    ])

    await one.silent()
    expect(await ledger.workers.dead(10_000)).toEqual([])
    await one.leave()
    expect(await shown()).toEqual([[2, true]])
    expect(await ledger.workers.dead(10_000)).toEqual(['1'])
    expect(await ledger.workers.noteAlive('1')).toBe(true)
    expect(await ledger.workers.dead(10_000)).toEqual([])

    await one.silent()
    await ledger.workers.forget(['1', '2'])
    expect(await ledger.workers.dead(10_000)).toEqual([])
    expect(await ledger.workers.noteAlive('1')).toBe(false)
    expect(await shown()).toEqual([[2, true]])
    await two.leave()
  })
})

describeWithDatabase('a worker with Redis and one without', () => {
  test('keep one another out, whichever comes first', async () => {
    await using open = await openTestLedger()
    const { ledger } = open
    const [one, two] = [await join(open, '1'), await join(open, '2')]
    expect(await ledger.holdLock('worker')).toBe(null)
    await one.leave()
    expect(await ledger.holdLock('worker')).toBe(null)
    await two.leave()
    const alone = await ledger.holdLock('worker')
    expect(alone).not.toBe(null)
    expect(await ledger.joinWorkers('3')).toBe('alone')
    await alone?.release()
    const three = (await ledger.joinWorkers('3')) as Session
    expect(await ledger.joinWorkers('3')).toBe(null)
    await three.release()
  })

  test('are not mistaken for one another by the lock that both hold', async () => {
    await using open = await openTestLedger()
    const { ledger, database } = open
    await using _one = await join(open, '1')
    // The row of an only worker that is long gone, whose number the connection of the other has now.
    const session = (await ledger.joinWorkers('2')) as Session
    await showWorker(session, ledger.environment, self, 'worker')
    expect((await shownWorkers(database)).map(({ shares }) => shares)).toEqual([true])
    await session.release()
  })
})

describeWithDatabase('workers whose queues lie in different stores', () => {
  test('are told apart, and found together once they have said so', async () => {
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

describeWithDatabase('what all wait for', () => {
  describe.each(['sweep', 'scan'] as const)('%s', (lock) => {
    test('is taken from a worker that has been silent, and only from that one', async () => {
      await using open = await openTestLedger()
      await using still = await join(open, '1')
      await using other = await join(open, '2')
      const held = await still.ledger.holdLock(lock)
      const free = () => other.ledger.workers.takeFromSilent(lock, '2', 30_000)
      expect(await free()).toEqual([])
      expect(await other.ledger.holdLock(lock)).toBe(null)

      await still.silent()
      expect(await other.ledger.workers.takeFromSilent(lock === 'sweep' ? 'scan' : 'sweep', '2', 30_000)).toEqual([])
      expect(await still.ledger.workers.takeFromSilent(lock, '1', 30_000)).toEqual([])
      expect(await free()).toEqual(['1'])
      await held?.lost
      await held?.release()
      const mine = await other.ledger.holdLock(lock)
      expect(mine).not.toBe(null)
      await mine?.release()
      // With which it is shown goes on: it is not dead.
      expect(await shownWorkers(open.database)).toHaveLength(2)
      expect(await free()).toEqual([])
    })

    test('is not taken from a worker of the other environment', async () => {
      await using open = await openTestLedger()
      await using still = await join(open, '1', { environment: 'production' })
      await using other = await join(open, '2')
      const held = await still.ledger.holdLock(lock)
      await still.silent()
      expect(await other.ledger.workers.takeFromSilent(lock, '2', 30_000)).toEqual([])
      expect(await still.ledger.holdLock(lock)).toBe(null)
      await held?.release()
    })
  })
})
