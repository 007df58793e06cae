// Attempts: batches of pending issuances, and the one-way door that each passes once or never.

import type { Database, Sql } from '#src/database/database.ts'
import { heldToCanary } from './canary.ts'

export interface Batch {
  attemptId: number
  environment: string
  courseUuid: string
  pipeline: string
  /** In the order in which they are sent. */
  recipients: Record<string, string>[]
}

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
    await sql.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`credsync:prepare:${of.environment}`])
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
       WHERE i.environment = $1 AND i.pipeline = $2 AND i.state = 'pending' AND i.due_at <= clock_timestamp()
         AND (c.paused_until IS NULL OR c.paused_until <= clock_timestamp())
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
  return sameAsFirst.slice(0, Math.min(of.size, free[0]?.cap ?? of.size))
}

/** The batch of an attempt of this environment that still stands before the door; null when it has gone through or was dropped. */
export async function loadBatch(sql: Sql, environment: string, attemptId: number): Promise<Batch | null> {
  const { rows } = await sql.query<Omit<Batch, 'recipients'> & { recipients: Batch['recipients'] | null }>(
    `SELECT a.id AS "attemptId", a.environment, a.course_uuid AS "courseUuid", a.pipeline,
            (SELECT json_agg(i.recipient ORDER BY t.position) FROM attempt_item t JOIN issuance i ON i.id = t.issuance_id WHERE t.attempt_id = a.id) AS recipients
     FROM attempt a WHERE a.id = $1 AND a.environment = $2 AND a.phase = 'prepared'`,
    [attemptId, environment],
  )
  return rows[0]?.recipients ? { ...rows[0], recipients: rows[0].recipients } : null
}

export interface Door {
  attemptId: number
  instance: string
  requestSha256: string
  /** How long the call may take, in milliseconds; the ledger adds a margin before it takes the attempt for lost. */
  deadlineMs: number
}

/** A worker that is alive has written the outcome down by then; one that has not is dead. */
const deadlineMarginMs = 15_000

/**
 * The door: `sending` is committed here, before anything leaves. On the database's clock.
 * @returns false when the attempt is no longer prepared: somebody else went through, so nothing may be sent
 */
export async function passDoor(database: Database, environment: string, door: Door): Promise<boolean> {
  return database.transaction(async (sql) => {
    const { rows } = await sql.query<{ size: number; at: Date }>(
      `UPDATE attempt SET phase = 'sending', sending_at = clock_timestamp(), instance = $2, request_sha256 = $3,
         deadline_at = clock_timestamp() + make_interval(secs => $4)
       WHERE id = $1 AND environment = $5 AND phase = 'prepared' RETURNING size, sending_at AS at`,
      [door.attemptId, door.instance, door.requestSha256, (door.deadlineMs + deadlineMarginMs) / 1_000, environment],
    )
    if (!rows[0]) return false
    const moved = await sql.query(
      `UPDATE issuance SET state = 'sending', event = 'sending', evidence = jsonb_build_object('batch', $3::int), attempt_id = $1, reason = NULL,
         first_sent_at = coalesce(first_sent_at, $2), last_sent_at = $2, looks = 0, last_look_at = NULL
       WHERE state = 'pending' AND id IN (SELECT issuance_id FROM attempt_item WHERE attempt_id = $1 AND open)`,
      [door.attemptId, rows[0].at, rows[0].size],
    )
    if (moved.rowCount !== rows[0].size)
      throw new Error(`Attempt ${door.attemptId} holds rows that are not pending; nothing of it was sent.`)
    return true
  })
}

/** Gives a prepared attempt's rows back, to be picked again after `waitMs`. Does nothing once the attempt went through the door. */
export async function dropAttempt(
  database: Database,
  attemptId: number,
  why: string,
  waitMs: number,
): Promise<boolean> {
  return database.transaction(async (sql) => {
    const dropped = await sql.query(
      `UPDATE attempt SET phase = 'dropped', ended_at = clock_timestamp(), words = $2 WHERE id = $1 AND phase = 'prepared'`,
      [attemptId, why],
    )
    if (dropped.rowCount === 0) return false
    await sql.query(
      `UPDATE issuance SET due_at = clock_timestamp() + make_interval(secs => $2), reason = $3
       WHERE state = 'pending' AND id IN (SELECT issuance_id FROM attempt_item WHERE attempt_id = $1 AND open)`,
      [attemptId, waitMs / 1_000, why],
    )
    await closeItems(sql, attemptId)
    return true
  })
}

/**
 * Drops prepared attempts that hold one of these rows although it is no longer pending: the report showed it meanwhile. Their other
 * rows are picked anew.
 */
export async function dropAttemptsWithout(sql: Sql, ids: readonly number[]): Promise<void> {
  const { rows } = await sql.query<{ id: number }>(
    `UPDATE attempt SET phase = 'dropped', ended_at = clock_timestamp(), words = 'the report showed one of its rows meanwhile'
     WHERE phase = 'prepared' AND id IN (SELECT t.attempt_id FROM attempt_item t JOIN issuance i ON i.id = t.issuance_id
                                         WHERE t.issuance_id = ANY($1) AND i.state <> 'pending')
     RETURNING id`,
    [ids],
  )
  await giveBackRows(sql, rows)
}

/** Drops every prepared attempt of a course; none of them has gone through the door. */
export async function dropPrepared(sql: Sql, environment: string, courseUuid: string, why: string): Promise<void> {
  const { rows } = await sql.query<{ id: number }>(
    `UPDATE attempt SET phase = 'dropped', ended_at = clock_timestamp(), words = $3
     WHERE environment = $1 AND course_uuid = $2 AND phase = 'prepared' RETURNING id`,
    [environment, courseUuid, why],
  )
  await giveBackRows(sql, rows)
}

async function giveBackRows(sql: Sql, attempts: readonly { id: number }[]): Promise<void> {
  const ids = attempts.map((attempt) => attempt.id)
  await sql.query(
    `UPDATE issuance SET due_at = clock_timestamp()
     WHERE state = 'pending' AND id IN (SELECT issuance_id FROM attempt_item WHERE attempt_id = ANY($1) AND open)`,
    [ids],
  )
  await sql.query('UPDATE attempt_item SET open = false WHERE attempt_id = ANY($1) AND open', [ids])
}

export async function closeItems(sql: Sql, attemptId: number): Promise<void> {
  await sql.query('UPDATE attempt_item SET open = false WHERE attempt_id = $1 AND open', [attemptId])
}

/** How many attempts stand before the door or are passing it. */
export async function countOpenAttempts(sql: Sql, environment: string): Promise<number> {
  const { rows } = await sql.query<{ count: number }>(
    `SELECT count(*) AS count FROM attempt WHERE environment = $1 AND phase IN ('prepared', 'sending')`,
    [environment],
  )
  return rows[0]?.count ?? 0
}
