// The lock between recording inbound events and emptying the people of an erasure: people are found in events by what is
// emptied, so no event may come between the last search and that. Writes nothing.

import type { Sql } from '#src/platform/database/database.ts'

/** @param environment SQL for the text of the environment */
const keyOf = (environment: string) => `hashtextextended('credsync:' || ${environment} || ':recording', 0)`

/** SQL: taken by whoever records events, before the first one, until the end of the transaction. Many may have it. */
export const recordingLock = (environment: string) => `pg_advisory_xact_lock_shared(${keyOf(environment)})`

/** Waits for events that are being recorded, and keeps others from being recorded until the end of the transaction. */
export async function stopRecording(sql: Sql, environment: string): Promise<void> {
  await sql.query(`SELECT pg_advisory_xact_lock(${keyOf('$1::text')})`, [environment])
}
