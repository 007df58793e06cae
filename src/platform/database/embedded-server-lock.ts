// Tracks which processes use the embedded server: each holds a shared advisory lock on it, and the last process stops
// it. Counting connections alone would leave a gap: between the count and the stop, another process may open the server
// and be about to use it. So opening is complete only once the shared lock is held, and a process stops the server only
// while it holds the exclusive lock. A process that opens the server in between waits for the lock, loses its
// connection when the server stops, and starts the server again. Locks end with their connections, so a killed process
// holds none.

import type pg from 'pg'
import type { Clock } from '#src/platform/time/clock.ts'
import { countOthers } from './embedded-connection.ts'

// In the database `postgres`, where the application takes no locks, so the two cannot collide.
const lock = '(1668441203, 1)'
const closingMs = 1_000
const pollMs = 50

/**
 * Takes the shared lock; waits while another process decides whether to stop the server. Rejects if the server was
 * stopped.
 */
export async function holdServer(client: pg.Client): Promise<void> {
  await client.query(`select pg_advisory_lock_shared${lock}`)
}

/**
 * Releases the shared lock. Returns true if no other process needs the server; the connection then holds the exclusive
 * lock, so the caller must stop the server before it ends the connection.
 */
export async function isLastClient(client: pg.Client, clock: Clock): Promise<boolean> {
  await client.query(`select pg_advisory_unlock_shared${lock}`)
  const taken = await client.query<{ alone: boolean }>(`select pg_try_advisory_lock${lock} as alone`)
  if (taken.rows[0]?.alone !== true) return false
  // A connection that was just closed is still listed for some milliseconds.
  const until = clock.monotonicMs() + closingMs
  while ((await countOthers(client)) > 0) {
    if (clock.monotonicMs() >= until) return false
    await clock.sleep(pollMs)
  }
  return true
}
