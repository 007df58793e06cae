// What was learned about a course while issuing for it, and whether it is paused.

import type { Sql } from '#src/database/database.ts'

/** Rows of a paused course wait as pending and go by themselves when the pause is over. */
export async function pauseCourse(
  sql: Sql,
  environment: string,
  courseUuid: string,
  reason: string,
  ms: number,
): Promise<void> {
  await sql.query(
    `INSERT INTO course (environment, course_uuid, paused_until, pause_reason) VALUES ($1, $2, clock_timestamp() + make_interval(secs => $4), $3)
     ON CONFLICT (environment, course_uuid) DO UPDATE SET paused_until = excluded.paused_until, pause_reason = excluded.pause_reason`,
    [environment, courseUuid, reason, ms / 1_000],
  )
}

/** The largest batch to send for a pipeline's course, as far as the service has taught us; null = no limit known. */
export async function learnedBatchLimit(sql: Sql, environment: string, pipeline: string): Promise<number | null> {
  const { rows } = await sql.query<{ limit: number | null }>(
    `SELECT min(c.batch_limit) AS limit FROM course c
     WHERE c.environment = $1 AND c.course_uuid IN (SELECT course_uuid FROM run WHERE environment = $1 AND pipeline = $2)`,
    [environment, pipeline],
  )
  return rows[0]?.limit ?? null
}

export interface Pause {
  courseUuid: string
  reason: string
  until: Date
}

export async function pauses(sql: Sql, environment: string): Promise<Pause[]> {
  const { rows } = await sql.query<Pause>(
    `SELECT course_uuid AS "courseUuid", pause_reason AS reason, paused_until AS until FROM course WHERE environment = $1 AND paused_until > clock_timestamp()`,
    [environment],
  )
  return rows
}
