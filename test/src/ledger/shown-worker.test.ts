import { expect, test } from 'vitest'
import { lockOf, shownWorkers, showWorker } from '#src/ledger/shown-worker.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { openTestLedger } from '#test/support/ledger.ts'

const self = { host: 'here', pid: 7, configuration: 'a hash' }

describeWithDatabase('a worker', () => {
  test('is shown for as long as it holds its lock, and no longer', async () => {
    await using open = await openTestLedger()
    const { ledger, database } = open
    expect(await shownWorkers(database)).toEqual([])
    const lock = await ledger.holdLock('worker')
    if (!lock) throw new Error('The lock is not free.')
    await showWorker(lock, ledger.environment, self, 'worker')
    expect(await shownWorkers(database)).toEqual([
      { ...self, environment: ledger.environment, startedAt: expect.any(Date) },
    ])
    await lock.release()
    expect(await shownWorkers(database)).toEqual([])
  })

  test('that works beside others is shown beside them, and is dead when its lock is gone and it has been silent', async () => {
    await using open = await openTestLedger()
    const { ledger, database } = open
    const begin = async (instance: string) => {
      const lock = await ledger.holdLock(lockOf(instance))
      if (!lock) throw new Error('The lock is not free.')
      await ledger.showWorker({ ...self, pid: Number(instance) }, lock, lockOf(instance))
      return lock
    }
    const shown = async () => (await shownWorkers(database)).map(({ pid }) => pid)
    const silent = (instance: string) =>
      database.query(`UPDATE worker SET seen_at = seen_at - interval '1 minute' WHERE lock = $1`, [lockOf(instance)])
    const [one, two] = [await begin('1'), await begin('2')]
    expect(await shown()).toEqual([1, 2])

    await silent('1')
    expect(await ledger.workers.dead(10_000)).toEqual([])
    await one.release()
    expect(await shown()).toEqual([2])
    expect(await ledger.workers.dead(10_000)).toEqual(['1'])
    expect(await ledger.workers.noteAlive('1')).toBe(true)
    expect(await ledger.workers.dead(10_000)).toEqual([])

    await silent('1')
    await ledger.workers.forget(['1', '2'])
    expect(await ledger.workers.dead(10_000)).toEqual([])
    expect(await ledger.workers.noteAlive('1')).toBe(false)
    expect(await shown()).toEqual([2])
    await two.release()
  })
})
