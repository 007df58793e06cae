// Registers a worker in a test's ledger, as one of several.

import { openWholeLedger } from '#src/app/whole-ledger.ts'
import { type WorkerSelf, workerLockName } from '#src/ledger/workers/worker-registration.ts'
import { openDatabase, type Session } from '#src/platform/database/database.ts'
import type { TestLedger } from './test-ledger.ts'

export const workerRecord = { host: 'here', pid: 7, configuration: 'a hash', store: null, work: null }

/**
 * Registers a worker that shares a Redis with others, on connections of its own.
 * @param instance a number, which is also the process id
 */
export async function join(
  testLedger: Pick<TestLedger, 'url' | 'database'>,
  instance: string,
  { environment = 'development', ...more }: Partial<WorkerSelf> & { environment?: string } = {},
) {
  const database = openDatabase(testLedger.url, { instance })
  const ledger = await openWholeLedger(database, environment)
  const session = (await ledger.workers.join(instance)) as Session
  const self = { ...workerRecord, pid: Number(instance), store: 'one', ...more }
  await ledger.workers.record(self, session, workerLockName(instance))
  const makeSilent = () =>
    testLedger.database.query(`UPDATE worker SET seen_at = seen_at - interval '1 minute' WHERE lock = $1`, [
      workerLockName(instance),
    ])
  let hasLeft = false
  const leave = async () => {
    if (hasLeft) return
    hasLeft = true
    await session.release()
    await database.close()
  }
  return { ledger, session, makeSilent, leave, [Symbol.asyncDispose]: leave }
}
