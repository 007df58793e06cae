// Attempts: the one-way door that each batch passes once or never, and the ways back before it.

import type { Database, Sql } from '#src/database/database.ts'

export interface Batch {
  attemptId: number
  environment: string
  courseUuid: string
  pipeline: string
  /** In the order in which they are sent. */
  recipients: Record<string, string>[]
  /** SHA-256 (hex) of the image of each, in the same order; null where none travels with them. */
  images: (string | null)[]
  /** When the last earlier call with one of them ended, if the service may have heard of it; null where none was made. */
  lastCallAt: Date | null
}

/** The batch of an attempt of this environment that still stands before the door; null when it has gone through or was dropped. */
export async function loadBatch(sql: Sql, environment: string, attemptId: number): Promise<Batch | null> {
  const { rows } = await sql.query<Omit<Batch, 'recipients'> & { recipients: Batch['recipients'] | null }>(
    `SELECT a.id AS "attemptId", a.environment, a.course_uuid AS "courseUuid", a.pipeline,
            (SELECT json_agg(i.recipient ORDER BY t.position) FROM attempt_item t JOIN issuance i ON i.id = t.issuance_id WHERE t.attempt_id = a.id) AS recipients,
            (SELECT json_agg(encode(i.image_sha256, 'hex') ORDER BY t.position) FROM attempt_item t JOIN issuance i ON i.id = t.issuance_id WHERE t.attempt_id = a.id) AS images,
            (SELECT max(earlier.ended_at) FROM attempt_item t JOIN attempt_item before ON before.issuance_id = t.issuance_id AND before.attempt_id <> a.id
             JOIN attempt earlier ON earlier.id = before.attempt_id
             WHERE t.attempt_id = a.id AND earlier.phase = 'ended' AND earlier.outcome <> 'not_sent') AS "lastCallAt"
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
         first_sent_at = coalesce(first_sent_at, $2), last_sent_at = $2, looks = 0, controlled_looks = 0, last_look_at = NULL
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
    await giveBackRows(sql, [{ id: attemptId }], { waitMs, why })
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

/** Rows of dropped attempts may be picked again after `waitMs`; without a `why` they keep the reason they have. */
async function giveBackRows(
  sql: Sql,
  attempts: readonly { id: number }[],
  { waitMs, why }: { waitMs: number; why: string | null } = { waitMs: 0, why: null },
): Promise<void> {
  const ids = attempts.map((attempt) => attempt.id)
  await sql.query(
    `UPDATE issuance SET due_at = clock_timestamp() + make_interval(secs => $2), reason = coalesce($3, reason)
     WHERE state = 'pending' AND id IN (SELECT issuance_id FROM attempt_item WHERE attempt_id = ANY($1) AND open)`,
    [ids, waitMs / 1_000, why],
  )
  await sql.query('UPDATE attempt_item SET open = false WHERE attempt_id = ANY($1) AND open', [ids])
}

export async function closeItems(sql: Sql, attemptId: number): Promise<void> {
  await sql.query('UPDATE attempt_item SET open = false WHERE attempt_id = $1 AND open', [attemptId])
}

/** How many attempts stand before the door. */
export async function countPreparedAttempts(sql: Sql, environment: string): Promise<number> {
  const { rows } = await sql.query<{ count: number }>(
    `SELECT count(*) AS count FROM attempt WHERE environment = $1 AND phase = 'prepared'`,
    [environment],
  )
  return rows[0]?.count ?? 0
}

/** How many attempts stand before the door or are passing it. */
export async function countOpenAttempts(sql: Sql, environment: string): Promise<number> {
  const { rows } = await sql.query<{ count: number }>(
    `SELECT count(*) AS count FROM attempt WHERE environment = $1 AND phase IN ('prepared', 'sending')`,
    [environment],
  )
  return rows[0]?.count ?? 0
}
