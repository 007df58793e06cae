// The tables of the ledger and of the queues, as a first start makes them.

import { randomBytes } from 'node:crypto'
import { openDatabase } from '#src/database/database.ts'
import { migrate } from '#src/ledger/migrate.ts'
import { openQueues } from '#src/queue/open-queues.ts'
import { systemClock } from '#src/time/clock.ts'

export async function prepareLedger(url: string): Promise<void> {
  await using database = openDatabase(url)
  await migrate(database, randomBytes(32))
  const backend = { kind: 'postgres', url, schema: 'credsync_queue_development' } as const
  await using _queues = await openQueues({ backend, clock: systemClock, onFault: () => {} })
}
