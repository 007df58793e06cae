// Who still needs the server: each process that opened it holds a shared lock in it, and only the last one out stops it.
//
// Counting connections alone has a gap: between "nobody else is here" and the stop, another process may have opened
// the server and be about to use it. So an opener is only done once it has the shared lock, and a releaser stops only
// while it has the exclusive one. An opener that comes in between waits for the lock, loses its connection to the stop,
// and starts the server again. The locks end with their connections, so a killed process holds none.

import type pg from 'pg'
import type { Clock } from '#src/time/clock.ts'
import { countOthers } from './embedded-connection.ts'

// Of the database `postgres`, where the application takes no locks: they can't meet with its own.
const lock = '(1668441203, 1)'
const leavingMs = 1_000
const pollMs = 50

/** Enters: waits while another process decides to stop the server. Rejects when it did stop it. */
export async function holdServer(client: pg.Client): Promise<void> {
  await client.query(`select pg_advisory_lock_shared${lock}`)
}

/**
 * Leaves: true when nobody else needs the server. Then the connection still holds the exclusive lock, so that the
 * caller stops the server before it ends the connection.
 */
export async function isLastOne(client: pg.Client, clock: Clock): Promise<boolean> {
  await client.query(`select pg_advisory_unlock_shared${lock}`)
  const taken = await client.query<{ alone: boolean }>(`select pg_try_advisory_lock${lock} as alone`)
  if (taken.rows[0]?.alone !== true) return false
  // A connection that was just closed is listed for some milliseconds more.
  const until = clock.monotonicMs() + leavingMs
  while ((await countOthers(client)) > 0) {
    if (clock.monotonicMs() >= until) return false
    await clock.sleep(pollMs)
  }
  return true
}
