// A course that was never sent to, or was paused after trouble, gets one recipient alone first. What is wrong with a course is then
// wrong for one person, and what is sent later and accepted is the positive control that an unknown outcome needs.

import type { Sql } from '#src/database/database.ts'

/**
 * The rows that may go out together: all of them once the course has accepted a call since it was last doubted; one while nobody
 * is on the way; none while the one is.
 */
export async function heldToCanary<Row extends { course: string }>(
  sql: Sql,
  environment: string,
  rows: Row[],
): Promise<Row[]> {
  const [first] = rows
  if (!first) return []
  const { trusted, busy } = await standingOf(sql, environment, first.course)
  if (trusted) return rows
  return busy ? [] : rows.slice(0, 1)
}

/** Whether one recipient would go out alone before any other of the course. */
export async function needsCanary(sql: Sql, environment: string, course: string): Promise<boolean> {
  return !(await standingOf(sql, environment, course)).trusted
}

async function standingOf(sql: Sql, environment: string, course: string) {
  const { rows } = await sql.query<{ trusted: boolean; busy: boolean }>(
    `SELECT coalesce(bool_or(a.outcome = 'accepted' AND a.sending_at > coalesce(c.canary_since, '-infinity')), false) AS trusted,
            coalesce(bool_or(a.phase IN ('prepared', 'sending')), false) AS busy
     FROM attempt a LEFT JOIN course c ON c.environment = a.environment AND c.course_uuid = a.course_uuid
     WHERE a.environment = $1 AND a.course_uuid = $2`,
    [environment, course],
  )
  return rows[0] ?? { trusted: false, busy: false }
}

/**
 * Pauses the course when its last two calls both ended unknown, or both unknown or refused before it has accepted anything, and sets it
 * back to a canary: while a service is in trouble, more calls make only more doubt, and a course that refuses everybody must not
 * refuse a whole list one by one. A call whose worker died says nothing about the service and is not counted.
 * @returns whether it was paused now
 */
export async function pauseAfterTrouble(
  sql: Sql,
  environment: string,
  courseUuid: string,
  ms: number,
): Promise<boolean> {
  const { rowCount } = await sql.query(
    `WITH since AS (SELECT coalesce((SELECT canary_since FROM course WHERE environment = $1 AND course_uuid = $2), '-infinity') AS at),
          call AS (SELECT a.outcome, a.ended_at FROM attempt a, since
                   WHERE a.environment = $1 AND a.course_uuid = $2 AND a.phase = 'ended' AND a.sending_at > since.at
                     AND a.error_code IS DISTINCT FROM 'WORKER_DIED'),
          last AS (SELECT outcome FROM call ORDER BY ended_at DESC LIMIT 2)
     INSERT INTO course (environment, course_uuid, paused_until, pause_reason, canary_since)
     SELECT $1, $2, clock_timestamp() + make_interval(secs => $3),
            CASE WHEN bool_and(last.outcome = 'unknown') THEN 'two calls in a row had an unknown outcome; the report is asked, and one recipient alone goes first'
                 ELSE 'the service has refused or not answered the first two calls; one recipient alone goes next' END, clock_timestamp()
     FROM last
     HAVING count(*) = 2 AND (bool_and(last.outcome = 'unknown')
       OR (bool_and(last.outcome IN ('unknown', 'refused')) AND NOT EXISTS (SELECT FROM call WHERE outcome = 'accepted')))
     ON CONFLICT (environment, course_uuid) DO UPDATE
       SET paused_until = excluded.paused_until, pause_reason = excluded.pause_reason, canary_since = excluded.canary_since`,
    [environment, courseUuid, ms / 1_000],
  )
  return rowCount > 0
}
