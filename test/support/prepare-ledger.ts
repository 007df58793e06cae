// Creates the tables of the ledger and the queues as a first start does.

import { randomBytes } from 'node:crypto'
import { migrate } from '#src/ledger/migrate.ts'
import { openDatabase } from '#src/platform/database/database.ts'
import { openQueues } from '#src/platform/queue/open-queues.ts'
import { systemClock } from '#src/platform/time/clock.ts'

export async function prepareLedger(url: string): Promise<void> {
  await using database = openDatabase(url)
  await migrate(database, randomBytes(32))
  const backend = { kind: 'postgres', url, schema: 'credsync_queue_development' } as const
  const queues = await openQueues({ backend, clock: systemClock, onFault: () => {} })
  await queues.stop(0)
}
