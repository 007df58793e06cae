// Prepares batches: decides which pending rows are sent together and which have to wait. Writes the batch to the
// database; nothing is sent here.

import type { Database, Sql } from '#src/platform/database/database.ts'
import { eachOf } from '#src/platform/database/each-of.ts'
import { limitToCanary } from './canary.ts'

// The service documents no limit on the size of a request, but proxies often limit it to 10 MB. A request body is held
// in memory several times while it is built.
const maxImageBytes = 8 * 1024 * 1024

/** A process that has not stalled is idle between two statements only for milliseconds. */
const idleTimeout = '10s'

export function preparationStore(db: Database, environment: string) {
  return {
    /**
     * Puts the next due rows of a pipeline into an attempt in phase `prepared`. A row waits while another credential of
     * the same person is unsettled, because the report could not distinguish the two. With `canary`, the first
     * batch of a course that has not accepted any call yet has one row.
     * @returns the attempt's id, or null when nothing is due
     */
    prepare: (pipeline: string, size: number, { canary = false } = {}): Promise<number | null> =>
      db.transaction(async (sql) => {
        await lockPicking(sql, environment)
        const due = await pickRows(sql, { environment, pipeline, size })
        const picked = canary ? await limitToCanary(sql, environment, due) : due
        if (picked.length === 0) return null
        const { rows } = await sql.query<{ id: number }>(
          'INSERT INTO attempt (environment, pipeline, course_uuid, size) VALUES ($1, $2, $3, $4) RETURNING id',
          [environment, pipeline, picked[0]?.course, picked.length],
        )
        const attemptId = rows[0]?.id as number
        const ids = picked.map((row) => row.id)
        await sql.query(
          'INSERT INTO attempt_item (attempt_id, issuance_id, position) SELECT $1, id, ordinality FROM unnest($2::bigint[]) WITH ORDINALITY AS t(id, ordinality)',
          [attemptId, ids],
        )
        // Excludes the rows from the next pick. However the attempt ends, it sets `due_at` again.
        await sql.query(
          `UPDATE issuance SET due_at = 'infinity', reason = NULL, open_attempt = $2 WHERE id = ${eachOf('$1')}`,
          [ids, attemptId],
        )
        return attemptId
      }),
  }
}

/**
 * Lets only one transaction pick rows at a time, so that two batches cannot each take one of two rows that must not be
 * open at the same time. The idle timeout ends the transaction of a process that stalls, which would otherwise stop all
 * sending. Due rows are read in the order of their index: with statistics from before a list the planner would rather
 * sort all of them for each batch.
 */
export async function lockPicking(sql: Sql, environment: string): Promise<void> {
  await sql.query(
    `SELECT set_config('idle_in_transaction_session_timeout', $2, true), set_config('enable_seqscan', 'off', true),
            set_config('enable_bitmapscan', 'off', true), set_config('enable_sort', 'off', true),
            pg_advisory_xact_lock(hashtextextended($1, 0))`,
    [`credsync:prepare:${environment}`, idleTimeout],
  )
}

/** SQL: whether the course of `i` may be sent now. As a look-up for each row, it leaves the order of the rows alone. */
export const isNotPaused = `coalesce((SELECT c.paused_until <= statement_timestamp() FROM course c
  WHERE c.environment = i.environment AND c.course_uuid = i.course_uuid), true)`

interface PickedRow {
  id: number
  course: string
  batchCap: number | null
  blocked: boolean
}

/**
 * Returns due rows and locks them, so that anything that changes one of them waits until the batch is prepared. Rows
 * that are locked by another transaction are left for the next pick.
 */
async function pickRows(
  sql: Sql,
  batch: { environment: string; pipeline: string; size: number },
): Promise<PickedRow[]> {
  const { rows } = await sql.query<PickedRow>(
    `WITH due AS MATERIALIZED (
       SELECT i.id, i.course_uuid, i.batch_cap, i.due_at FROM issuance i
       WHERE i.environment = $1 AND i.pipeline = $2 AND i.state = 'pending' AND i.due_at <= statement_timestamp() AND ${isNotPaused}
       ORDER BY i.due_at, i.id LIMIT $3 FOR NO KEY UPDATE OF i SKIP LOCKED),
     same_person AS MATERIALIZED (
       SELECT DISTINCT due.id, due.due_at, theirs.issuance_id AS other_id
       FROM due CROSS JOIN LATERAL (SELECT m.hash FROM issuance_match m WHERE m.issuance_id = due.id OFFSET 0) mine
       CROSS JOIN LATERAL (
         SELECT m.issuance_id FROM issuance_match m WHERE m.hash = mine.hash AND m.issuance_id <> due.id OFFSET 0) theirs),
     blocked AS (
       SELECT p.id FROM same_person p CROSS JOIN LATERAL (
         SELECT i.id, i.state, i.due_at FROM issuance i WHERE i.id = p.other_id AND i.environment = $1 OFFSET 0) other
       WHERE other.state IN ('sending', 'unconfirmed', 'requested', 'in_progress')
         OR (other.state = 'pending' AND other.due_at = 'infinity')
         OR (other.id IN (SELECT id FROM due) AND (other.due_at, other.id) < (p.due_at, p.id)))
     SELECT due.id, due.course_uuid AS course, due.batch_cap AS "batchCap", due.id IN (SELECT id FROM blocked) AS blocked
     FROM due ORDER BY due.due_at, due.id`,
    [batch.environment, batch.pipeline, batch.size],
  )
  const blocked = rows.filter((row) => row.blocked).map((row) => row.id)
  if (blocked.length > 0)
    await sql.query(
      `UPDATE issuance SET due_at = clock_timestamp() + interval '5 seconds',
         reason = 'waits until another credential of the same person is settled, because the report could not tell them apart' WHERE id = ${eachOf('$1')}`,
      [blocked],
    )
  const free = rows.filter((row) => !row.blocked)
  // All rows of an attempt have the same course and the same batch limit, which are those of the first row.
  const sameAsFirst = free.filter((row) => row.course === free[0]?.course && row.batchCap === free[0]?.batchCap)
  return withinBytes(sql, sameAsFirst.slice(0, Math.min(batch.size, free[0]?.batchCap ?? batch.size)))
}

/**
 * Returns as many of the first rows as have at most `maxImageBytes` of images together, and at least one row.
 */
async function withinBytes<Row extends { id: number }>(sql: Sql, rows: Row[]): Promise<Row[]> {
  const { rows: sizes } = await sql.query<{ id: number; bytes: number }>(
    'SELECT i.id, octet_length(m.bytes) AS bytes FROM issuance i JOIN image m ON m.sha256 = i.image_sha256 WHERE i.id = ' +
      eachOf('$1'),
    [rows.map((row) => row.id)],
  )
  const bytesOf = new Map(sizes.map(({ id, bytes }) => [id, bytes]))
  let total = 0
  const firstTooMany = rows.findIndex((row, index) => {
    total += bytesOf.get(row.id) ?? 0
    return index > 0 && total > maxImageBytes
  })
  return firstTooMany < 0 ? rows : rows.slice(0, firstTooMany)
}
