// What becomes of an attempt's rows once the call has ended, or once its worker is known to be dead.

import type { Database, Sql } from '#src/database/database.ts'
import type { State } from '#src/issuance/state.ts'
import { closeItems } from './attempts.ts'

export interface AttemptEnd {
  class: 'not_sent' | 'throttled' | 'too_large' | 'refused' | 'accepted' | 'unknown'
  status: number | null
  code: string | null
  words: string
}

/** Where the rows go: decided in src/reconcile, carried out here. */
export interface Disposal {
  /** In order, from `sending`. One that ends in `unconfirmed` leaves the attempt open: the report has to be asked about it. */
  steps: readonly { to: State; event: string; reason: string | null }[]
  /** Milliseconds until rows that end in `pending` may be picked again. */
  waitMs: number
  /** Remembered for the course when a batch was too large. */
  batchLimit: number | null
}

/** @returns how many rows moved; 0 when the attempt had ended already (a late answer changes nothing) */
export async function endAttempt(
  database: Database,
  attemptId: number,
  end: AttemptEnd,
  disposal: Disposal,
): Promise<number> {
  return database.transaction(async (sql) => {
    const { rows } = await sql.query<{ environment: string; course: string }>(
      `UPDATE attempt SET phase = 'ended', ended_at = clock_timestamp(), outcome = $2, http_status = $3, error_code = $4, words = $5
       WHERE id = $1 AND phase = 'sending' RETURNING environment, course_uuid AS course`,
      [attemptId, end.class, end.status, end.code, end.words],
    )
    if (!rows[0]) return 0
    let moved = 0
    for (const step of disposal.steps) moved = await moveItems(sql, attemptId, step, end, disposal.waitMs)
    if (disposal.steps.at(-1)?.to !== 'unconfirmed') await closeItems(sql, attemptId)
    if (disposal.batchLimit !== null) await rememberLimit(sql, rows[0], disposal.batchLimit)
    return moved
  })
}

async function moveItems(
  sql: Sql,
  attemptId: number,
  step: Disposal['steps'][number],
  end: AttemptEnd,
  waitMs: number,
): Promise<number> {
  const evidence = { outcome: end.class, status: end.status, code: end.code, words: end.words }
  const { rowCount } = await sql.query(
    `UPDATE issuance SET state = $2, event = $3, evidence = $4, reason = $5, due_at = clock_timestamp() + make_interval(secs => $6)
     WHERE id IN (SELECT issuance_id FROM attempt_item WHERE attempt_id = $1 AND open)`,
    [attemptId, step.to, step.event, JSON.stringify(evidence), step.reason, waitMs / 1_000],
  )
  return rowCount
}

async function rememberLimit(sql: Sql, of: { environment: string; course: string }, limit: number): Promise<void> {
  await sql.query(
    `INSERT INTO course (environment, course_uuid, batch_limit) VALUES ($1, $2, $3)
     ON CONFLICT (environment, course_uuid) DO UPDATE SET batch_limit = least(course.batch_limit, $3)`,
    [of.environment, of.course, limit],
  )
}

/**
 * A process that died while sending left its attempts in `sending`: that is an unknown outcome. An attempt is lost when its deadline has
 * passed, also one of our own: writing its outcome down has failed then, as on a full disk. With `aliveInstance` given, this process is
 * the only worker there is, and any other instance's attempt is lost at once; so is that of an instance in `dead`.
 */
export async function loseAttempts(
  sql: Sql,
  environment: string,
  aliveInstance: string | null,
  dead: readonly string[] = [],
): Promise<number[]> {
  const { rows } = await sql.query<{ id: number }>(
    `WITH lost AS (
       UPDATE attempt SET phase = 'ended', ended_at = clock_timestamp(), outcome = 'unknown', error_code = 'WORKER_DIED',
         words = 'the worker ended while the call was under way'
       WHERE environment = $1 AND phase = 'sending' AND (instance <> $2::uuid OR instance = ANY($3::uuid[]) OR deadline_at < clock_timestamp())
       RETURNING id),
     doubted AS (
       UPDATE issuance SET state = 'unconfirmed', event = 'worker died while sending', evidence = '{"outcome": "unknown", "code": "WORKER_DIED"}',
         reason = 'the outcome of the call is unknown; the report is asked', due_at = clock_timestamp()
       WHERE state = 'sending' AND attempt_id IN (SELECT id FROM lost))
     SELECT id FROM lost ORDER BY id`,
    [environment, aliveInstance, dead],
  )
  return rows.map((row) => row.id)
}
