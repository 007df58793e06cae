// Whether PostgreSQL lets somebody in who has nothing to do with the connections that this process holds already.

import pg from 'pg'
import type { Clock } from '#src/time/clock.ts'
import { within } from '#src/time/within.ts'

const answerMs = 5_000

/** Never rejects. @param url a postgres:// address; never logged */
export async function canConnect(url: string, clock: Clock): Promise<boolean> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'credsync',
    connectionTimeoutMillis: answerMs,
  })
  client.on('error', () => {})
  const asked = client.connect().then(() => client.query('SELECT 1'))
  try {
    await within(clock, answerMs, asked)
    return true
  } catch {
    return false
  } finally {
    // A server that is silent never says good-bye.
    client.end().catch(() => {})
  }
}
