// Loads, claims and drops attempts. An attempt is one call with a batch of rows. It can be claimed at most once; if it
// is dropped before that, its rows are picked again. Reads and writes the database; the call is made elsewhere.
// Functions with a parameter `sql` must run inside a transaction.

import type { Database, Sql } from '#src/platform/database/database.ts'
import { eachOf } from '#src/platform/database/index-lookups.ts'
import { type CommittedClaim, commitClaim, deadlineMarginMs } from './commit-claim.ts'
import type { Fence } from './fence.ts'

export interface Batch {
  attemptId: number
  environment: string
  courseUuid: string
  pipeline: string
  /** In the order in which they are sent to the service. */
  recipients: Record<string, string>[]
  /** SHA-256 (hex) of each recipient's image, in the same order; null for a recipient without one. */
  images: (string | null)[]
  /**
   * When the last earlier call with any of these rows ended, not counting calls that were never sent; null if there was
   * none.
   */
  lastCallAt: Date | null
}

export interface Claim {
  attemptId: number
  instance: string
  requestSha256: string
  /** How long the call may take, in milliseconds. The ledger adds a margin before it treats the attempt as lost. */
  deadlineMs: number
}

export function attemptStore(db: Database, environment: string, fence: Fence) {
  return {
    /** Returns the batch of a prepared attempt of this environment, or null once the attempt is claimed or dropped. */
    async load(attemptId: number): Promise<Batch | null> {
      const { rows } = await db.query<Omit<Batch, 'recipients'> & { recipients: Batch['recipients'] | null }>(
        `SELECT a.id AS "attemptId", a.environment, a.course_uuid AS "courseUuid", a.pipeline, b.*
         FROM attempt a CROSS JOIN LATERAL (
           SELECT json_agg(i.recipient ORDER BY t.position) AS recipients,
                  json_agg(encode(i.image_sha256, 'hex') ORDER BY t.position) AS images, max(i.last_call_at) AS "lastCallAt"
           FROM attempt_item t CROSS JOIN LATERAL (
             SELECT i.recipient, i.image_sha256, CASE WHEN i.attempt_id IS NOT NULL THEN (
                      SELECT max(call.ended_at) FROM attempt_item before CROSS JOIN LATERAL (
                        -- Only a call that has ended has an outcome.
                        SELECT c.ended_at FROM attempt c WHERE c.id = before.attempt_id AND c.outcome <> 'not_sent' OFFSET 0) call
                      WHERE before.issuance_id = i.id) END AS last_call_at
             FROM issuance i WHERE i.id = t.issuance_id OFFSET 0) i
           WHERE t.attempt_id = a.id) b
         WHERE a.id = $1 AND a.environment = $2 AND a.phase = 'prepared'`,
        [attemptId, environment],
      )
      return rows[0]?.recipients ? { ...rows[0], recipients: rows[0].recipients } : null
    },
    /**
     * Commits the state `sending` before the call is made. All times come from the database's clock. If a row of the
     * batch has changed state in the meantime, the batch is dropped and its other rows are picked again.
     * @returns null if nothing may be sent, because the attempt is no longer prepared, a row has left it, or sending is
     * stopped
     * @throws LedgerTooNewError if a newer version has changed the ledger
     */
    async claim(claim: Claim): Promise<CommittedClaim | null> {
      return commitClaim(db, { environment, attempt: claim.attemptId }, async (sql) => {
        await fence.checkInTransaction(sql)
        const pendingRows = await lockBatch(sql, claim.attemptId)
        const { rows } = await sql.query<{ size: number; at: Date; what: string }>(
          `UPDATE attempt SET phase = 'sending', sending_at = clock_timestamp(), instance = $2, request_sha256 = $3,
             deadline_at = clock_timestamp() + make_interval(secs => $4)
           WHERE id = $1 AND environment = $5 AND phase = 'prepared' AND size = $6 RETURNING size, sending_at AS at, ${attemptDescription} AS what`,
          [
            claim.attemptId,
            claim.instance,
            claim.requestSha256,
            (claim.deadlineMs + deadlineMarginMs) / 1_000,
            environment,
            pendingRows,
          ],
        )
        if (!rows[0]) {
          const words = 'one of its rows has changed state in the meantime'
          await drop(sql, environment, claim.attemptId, { words, why: null, waitMs: 0 })
          return null
        }
        await sql.query(
          `UPDATE issuance SET state = 'sending', event = 'sending', evidence = jsonb_build_object('batch', $3::int), attempt_id = $1, reason = NULL,
             first_sent_at = coalesce(first_sent_at, $2), last_sent_at = $2, looks = 0, controlled_looks = 0, last_look_at = NULL
           WHERE ${isInAttempt}`,
          [claim.attemptId, rows[0].at, rows[0].size],
        )
        return rows[0].what
      })
    },
    /**
     * Drops a prepared attempt. Its rows are picked again after `waitMs`. Does nothing once the attempt is claimed.
     * @returns whether it was dropped
     */
    async drop(attemptId: number, why: string, waitMs: number): Promise<boolean> {
      return db.transaction(async (sql) => {
        await lockBatch(sql, attemptId)
        return drop(sql, environment, attemptId, { words: why, why, waitMs })
      })
    },
    /** Returns the number of attempts that are prepared but not claimed yet. */
    async countPrepared(): Promise<number> {
      const { rows } = await db.query<{ count: number }>(
        `SELECT count(*) AS count FROM attempt WHERE environment = $1 AND phase = 'prepared'`,
        [environment],
      )
      return rows[0]?.count ?? 0
    },
    /** Returns the number of attempts that are prepared or being sent. */
    async countOpen(): Promise<number> {
      const { rows } = await db.query<{ count: number }>(
        `SELECT count(*) AS count FROM attempt WHERE environment = $1 AND phase IN ('prepared', 'sending')`,
        [environment],
      )
      return rows[0]?.count ?? 0
    },
  }
}

/**
 * SQL: the open rows of attempt $1, looked up by key as with `eachOf`. With a condition on the state, the planner might
 * instead read all rows in that state.
 */
export const isInAttempt =
  'id = ANY(ARRAY(SELECT issuance_id FROM attempt_item WHERE attempt_id = $1)) AND open_attempt = $1'

/**
 * Locks the rows of a batch. To avoid deadlocks, every transaction locks rows first, ordered by id, and then attempts.
 * @returns how many of the rows are pending
 */
export async function lockBatch(sql: Sql, attemptId: number): Promise<number> {
  const { rows } = await sql.query<{ pending: number }>(
    `SELECT count(*) FILTER (WHERE state = 'pending') AS pending
     FROM (SELECT state FROM issuance WHERE ${isInAttempt} ORDER BY id FOR NO KEY UPDATE) batch`,
    [attemptId],
  )
  return rows[0]?.pending ?? 0
}

/** Locks these rows and the other rows of their prepared batches, ordered by id like `lockBatch`. */
export async function lockWithBatches(sql: Sql, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  await sql.query(
    `SELECT FROM issuance WHERE id = ANY(ARRAY(
       SELECT unnest($1::bigint[]) UNION
       SELECT mate.issuance_id FROM (SELECT DISTINCT open_attempt FROM issuance WHERE id = ${eachOf('$1')}) i
       CROSS JOIN LATERAL (SELECT a.id FROM attempt a WHERE a.id = i.open_attempt AND a.phase = 'prepared' OFFSET 0) a
       CROSS JOIN LATERAL (SELECT t.issuance_id FROM attempt_item t WHERE t.attempt_id = a.id OFFSET 0) mate))
     ORDER BY id FOR NO KEY UPDATE`,
    [ids],
  )
}

/**
 * SQL: a description of an attempt's content, which identifies it better than its id: a ledger that was rolled back may
 * use the same id again.
 */
export const attemptDescription = `(course_uuid || ' ' || pipeline || ' ' || size || ' ' || extract(epoch FROM prepared_at))`

async function drop(
  sql: Sql,
  environment: string,
  attemptId: number,
  { words, ...giveBackOptions }: { words: string; why: string | null; waitMs: number },
): Promise<boolean> {
  const dropped = await sql.query(
    `UPDATE attempt SET phase = 'dropped', ended_at = clock_timestamp(), words = $2
     WHERE id = $1 AND environment = $3 AND phase = 'prepared'`,
    [attemptId, words, environment],
  )
  if (dropped.rowCount === 0) return false
  await giveBackRows(sql, [{ id: attemptId }], giveBackOptions)
  return true
}

/**
 * Drops the prepared attempts that contain any of these rows, because the rows are no longer pending. The attempts'
 * other rows are picked again.
 */
export async function dropUnsendableAttempts(
  sql: Sql,
  ids: readonly number[],
  words = 'the report has shown one of its rows in the meantime',
): Promise<void> {
  if (ids.length === 0) return
  const { rows } = await sql.query<{ id: number }>(
    `UPDATE attempt SET phase = 'dropped', ended_at = clock_timestamp(), words = $2
     WHERE phase = 'prepared' AND id = ANY(ARRAY(
       SELECT attempt_id FROM attempt_item WHERE issuance_id = ${eachOf('$1')})) RETURNING id`,
    [ids, words],
  )
  await giveBackRows(sql, rows)
}

/** Locks the rows of all prepared batches of a course. */
export async function lockPrepared(sql: Sql, environment: string, courseUuid: string): Promise<void> {
  await sql.query(
    `SELECT FROM issuance WHERE id = ANY(ARRAY(
       SELECT t.issuance_id
       FROM (SELECT id FROM attempt WHERE environment = $1 AND course_uuid = $2 AND phase = 'prepared' OFFSET 0) a
       CROSS JOIN LATERAL (SELECT issuance_id FROM attempt_item WHERE attempt_id = a.id OFFSET 0) t))
     ORDER BY id FOR NO KEY UPDATE`,
    [environment, courseUuid],
  )
}

/** Drops every prepared attempt of a course. Claimed attempts are not affected. */
export async function dropPrepared(sql: Sql, environment: string, courseUuid: string, why: string): Promise<void> {
  const { rows } = await sql.query<{ id: number }>(
    `UPDATE attempt SET phase = 'dropped', ended_at = clock_timestamp(), words = $3
     WHERE environment = $1 AND course_uuid = $2 AND phase = 'prepared' RETURNING id`,
    [environment, courseUuid, why],
  )
  await giveBackRows(sql, rows)
}

/** Makes the rows of dropped attempts due again after `waitMs`. */
export async function giveBackRows(
  sql: Sql,
  attempts: readonly { id: number }[],
  { waitMs, why }: { waitMs: number; why: string | null } = { waitMs: 0, why: null },
): Promise<void> {
  if (attempts.length === 0) return
  await sql.query(
    `UPDATE issuance SET open_attempt = NULL, reason = CASE WHEN state = 'pending' THEN $3 ELSE reason END,
       due_at = CASE WHEN state = 'pending' THEN clock_timestamp() + make_interval(secs => $2) ELSE due_at END
     WHERE id = ANY(ARRAY(SELECT issuance_id FROM attempt_item WHERE attempt_id = ANY($1))) AND open_attempt = ANY($1)`,
    [attempts.map((attempt) => attempt.id), waitMs / 1_000, why],
  )
}
