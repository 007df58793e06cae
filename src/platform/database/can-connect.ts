// Checks that PostgreSQL accepts a new connection, independently of the connections that this process already holds.

import type { Clock } from '#src/platform/time/clock.ts'
import { within } from '#src/platform/time/deadline.ts'
import { openDatabase } from './database.ts'

const answerMs = 5_000

/**
 * Returns whether a new connection and a query succeed within five seconds. Never rejects.
 * @param url a postgres:// address; never logged
 */
export async function canConnect(url: string, clock: Clock): Promise<boolean> {
  const database = openDatabase(url, { connections: 1 })
  const isAnswered = await within(clock, answerMs, database.query('SELECT 1')).then(
    () => true,
    () => false,
  )
  // Not awaited, because closing never completes if the server does not respond.
  database.close().catch(() => {})
  return isAnswered
}
