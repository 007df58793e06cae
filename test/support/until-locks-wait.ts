// Waits until statements of this database wait for locks, so that a test knows how far they are.

import type { Database } from '#src/platform/database/database.ts'
import { until } from './until.ts'

export async function untilLocksWait(database: Database, count: number): Promise<void> {
  await until(`${count} locks to wait`, async () => {
    const { rowCount } = await database.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND cardinality(pg_blocking_pids(pid)) > 0`,
    )
    return rowCount === count
  })
}
