import { expect, test } from 'vitest'
import { shownWorkers, showWorker } from '#src/ledger/shown-worker.ts'
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

  test('that works beside others is shown beside them, and forgotten by the next one when it is gone', async () => {
    await using open = await openTestLedger()
    const { ledger, database } = open
    const begin = async (pid: number) => {
      const lock = await ledger.holdLock(`worker:${pid}`)
      if (!lock) throw new Error('The lock is not free.')
      await ledger.showWorker({ ...self, pid }, lock, `worker:${pid}`)
      return lock
    }
    const shown = async () => (await shownWorkers(database)).map(({ pid }) => pid)
    const [one, two] = [await begin(1), await begin(2)]
    expect(await shown()).toEqual([1, 2])
    await one.release()
    expect(await shown()).toEqual([2])
    const three = await begin(3)
    expect((await database.query('SELECT FROM worker')).rowCount).toBe(2)
    for (const lock of [two, three]) await lock.release()
  })
})
