// Named locks: who waits for one, and who leaves the work to the one that waits.

import { expect, test } from 'vitest'
import { openWholeLedger } from '#src/app/whole-ledger.ts'
import { type Database, openDatabase, type Session } from '#src/platform/database/database.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { openTestLedger } from '#test/support/test-ledger.ts'
import { until } from '#test/support/until.ts'

const someoneWaits = (database: Database) =>
  until('somebody to wait for the lock', async () => {
    const { rowCount } = await database.query(
      `SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    )
    return rowCount > 0
  })

async function openLocks() {
  const testLedger = await openTestLedger()
  const database = openDatabase(testLedger.url)
  const { locks } = await openWholeLedger(database, 'development')
  const holder = (await testLedger.ledger.locks.hold('scan')) as Session
  const dispose = async () => {
    await database.close()
    await testLedger[Symbol.asyncDispose]()
  }
  return { database: testLedger.database, locks, holder, [Symbol.asyncDispose]: dispose }
}

describeWithDatabase('a lock that is taken', () => {
  test('is waited for by one caller, who does the work of all who came before it began', async () => {
    await using place = await openLocks()
    const { database, locks, holder } = place
    const { promise: canEnd, resolve: end } = Promise.withResolvers<void>()
    const { promise: begins, resolve: begin } = Promise.withResolvers<void>()
    const first = locks.withLockAfter('scan', async () => {
      begin()
      await canEnd
      return 'first'
    })
    await someoneWaits(database)
    expect(await locks.withLockAfter('scan', async () => 'second')).toBeNull()
    await holder.release()
    await begins
    // The work that has begun may not see what this caller is about.
    const third = locks.withLockAfter('scan', async () => 'third')
    await someoneWaits(database)
    end()
    expect(await Promise.all([first, third])).toEqual(['first', 'third'])
  })
})
