// Checks that PostgreSQL accepts a new connection, independently of the connections that this process already holds.

import pg from 'pg'
import type { Clock } from '#src/platform/time/clock.ts'
import { within } from '#src/platform/time/deadline.ts'

const answerMs = 5_000

/**
 * Returns whether a new connection and a query succeed within five seconds. Never rejects.
 * @param url a postgres:// address; never logged
 */
export async function canConnect(url: string, clock: Clock): Promise<boolean> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'credsync',
    connectionTimeoutMillis: answerMs,
  })
  client.on('error', () => {})
  const queried = client.connect().then(() => client.query('SELECT 1'))
  try {
    await within(clock, answerMs, queried)
    return true
  } catch {
    return false
  } finally {
    // Not awaited, because closing never completes if the server does not respond.
    client.end().catch(() => {})
  }
}
