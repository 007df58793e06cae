// Batches: which pending rows travel together, and which have to wait.

import type { Database, Sql } from '#src/database/database.ts'
import { heldToCanary } from './canary.ts'

// A limit on the size of a request is not documented; proxies often have one at 10 MB. A body is in memory several times while it is made.
const mostImageBytes = 8 * 1024 * 1024

/** A live process is silent between two of the statements for some milliseconds. */
const stillFor = '10s'

/**
 * Puts the next due rows of a pipeline into an attempt, `prepared`. Nothing is sent by this.
 * A row waits while another credential of the same person is unsettled: the report could not tell the two apart.
 * With `canary`, a course that has not yet accepted anything gets one recipient alone first.
 * @returns the attempt's id, or null when nothing is due
 */
export async function prepareAttempt(
  database: Database,
  of: { environment: string; pipeline: string; size: number; canary: boolean },
): Promise<number | null> {
  return database.transaction(async (sql) => {
    // One at a time, so that two batches cannot each take one of two rows that must not be open together.
    // A process that stands still in here would stop all sending for as long as a forgotten transaction may live.
    await sql.query(
      `SELECT set_config('idle_in_transaction_session_timeout', $2, true), pg_advisory_xact_lock(hashtextextended($1, 0))`,
      [`credsync:prepare:${of.environment}`, stillFor],
    )
    const due = await pickRows(sql, of)
    const picked = of.canary ? await heldToCanary(sql, of.environment, due) : due
    if (picked.length === 0) return null
    const { rows } = await sql.query<{ id: number }>(
      'INSERT INTO attempt (environment, pipeline, course_uuid, size) VALUES ($1, $2, $3, $4) RETURNING id',
      [of.environment, of.pipeline, picked[0]?.course, picked.length],
    )
    const attemptId = rows[0]?.id as number
    const ids = picked.map((row) => row.id)
    await sql.query(
      'INSERT INTO attempt_item (attempt_id, issuance_id, position) SELECT $1, id, ordinality FROM unnest($2::bigint[]) WITH ORDINALITY AS t(id, ordinality)',
      [attemptId, ids],
    )
    // Out of sight of the next picking; the attempt brings them back, whatever becomes of it.
    await sql.query(`UPDATE issuance SET due_at = 'infinity', reason = NULL WHERE id = ANY($1)`, [ids])
    return attemptId
  })
}

interface Picked {
  id: number
  course: string
  cap: number | null
  blocked: boolean
}

async function pickRows(sql: Sql, of: { environment: string; pipeline: string; size: number }): Promise<Picked[]> {
  const { rows } = await sql.query<Picked>(
    `WITH due AS MATERIALIZED (
       SELECT i.id, i.course_uuid, i.batch_cap, i.due_at FROM issuance i
       LEFT JOIN course c ON c.environment = i.environment AND c.course_uuid = i.course_uuid
       WHERE i.environment = $1 AND i.pipeline = $2 AND i.state = 'pending' AND i.due_at <= statement_timestamp()
         AND (c.paused_until IS NULL OR c.paused_until <= statement_timestamp())
       ORDER BY i.due_at, i.id LIMIT $3),
     twin AS (
       SELECT DISTINCT due.id, due.due_at, other.id AS other_id, other.state, other.due_at AS other_due_at
       FROM due JOIN issuance_match mine ON mine.issuance_id = due.id
       JOIN issuance_match theirs ON theirs.hash = mine.hash AND theirs.issuance_id <> due.id
       JOIN issuance other ON other.id = theirs.issuance_id AND other.environment = $1)
     SELECT due.id, due.course_uuid AS course, due.batch_cap AS cap,
            EXISTS (SELECT FROM twin WHERE twin.id = due.id
                      AND (twin.state IN ('sending', 'unconfirmed', 'requested', 'in_progress')
                           OR (twin.state = 'pending' AND twin.other_due_at = 'infinity')
                           OR (twin.other_id IN (SELECT id FROM due) AND (twin.other_due_at, twin.other_id) < (twin.due_at, twin.id)))) AS blocked
     FROM due ORDER BY due.due_at, due.id`,
    [of.environment, of.pipeline, of.size],
  )
  const blocked = rows.filter((row) => row.blocked).map((row) => row.id)
  if (blocked.length > 0)
    await sql.query(
      `UPDATE issuance SET due_at = clock_timestamp() + interval '5 seconds',
         reason = 'waits until another credential of the same person is settled, because the report could not tell them apart' WHERE id = ANY($1)`,
      [blocked],
    )
  const free = rows.filter((row) => !row.blocked)
  // One course and one batch limit to an attempt: the first row's.
  const sameAsFirst = free.filter((row) => row.course === free[0]?.course && row.cap === free[0]?.cap)
  return withinBytes(sql, sameAsFirst.slice(0, Math.min(of.size, free[0]?.cap ?? of.size)))
}

/** As many of the rows, from the first one on, as have images of so many bytes together; one row at least. Costs nothing where none has one. */
async function withinBytes<Row extends { id: number }>(sql: Sql, rows: Row[]): Promise<Row[]> {
  const { rows: sizes } = await sql.query<{ id: number; bytes: number }>(
    'SELECT i.id, octet_length(m.bytes) AS bytes FROM issuance i JOIN image m ON m.sha256 = i.image_sha256 WHERE i.id = ANY($1)',
    [rows.map((row) => row.id)],
  )
  const bytesOf = new Map(sizes.map(({ id, bytes }) => [id, bytes]))
  let sum = 0
  const tooMany = rows.findIndex((row, index) => {
    sum += bytesOf.get(row.id) ?? 0
    return index > 0 && sum > mostImageBytes
  })
  return tooMany < 0 ? rows : rows.slice(0, tooMany)
}
