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
    await showWorker(lock, ledger.environment, self, true)
    expect(await shownWorkers(database)).toEqual([
      { ...self, environment: ledger.environment, startedAt: expect.any(Date), running: true },
    ])
    await lock.release()
    expect(await shownWorkers(database)).toEqual([])
  })

  test('that holds no lock, beside others, is one of which nobody knows', async () => {
    await using open = await openTestLedger()
    await showWorker(open.database, open.ledger.environment, self, false)
    expect(await shownWorkers(open.database)).toMatchObject([{ running: false }])
  })
})
