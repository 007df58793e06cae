// Implements the canary and the circuit breaker of a course. The canary is a call with only one recipient. It comes
// first for a new course, and for a course that was paused after failed calls, so that a fault of the course affects
// only one person. A later accepted call is the positive control that is needed to judge an unknown outcome. Reads and
// writes the database within the caller's transaction.

import type { Sql } from '#src/platform/database/database.ts'

/**
 * Returns the batches that may be sent. A course is trusted if it has accepted a call since it was last paused after
 * failures. The result ends at the first batch of an untrusted course: with one row of that batch or, while another
 * call for the course is open, without it.
 */
export async function limitToCanary<Row extends { course: string }>(
  sql: Sql,
  environment: string,
  batches: readonly Row[][],
): Promise<Row[][]> {
  const trustedCourses = new Set<string>()
  for (const [index, batch] of batches.entries()) {
    const course = batch[0]?.course ?? ''
    if (trustedCourses.has(course)) continue
    const { trusted, busy } = await trustOf(sql, environment, course)
    if (!trusted) return [...batches.slice(0, index), ...(busy ? [] : [batch.slice(0, 1)])]
    trustedCourses.add(course)
  }
  return [...batches]
}

/** Whether the course has accepted a call since it was last paused after failures. */
export async function isTrusted(sql: Sql, environment: string, course: string): Promise<boolean> {
  return (await trustOf(sql, environment, course)).trusted
}

async function trustOf(sql: Sql, environment: string, course: string) {
  const { rows } = await sql.query<{ trusted: boolean; busy: boolean }>(
    `SELECT EXISTS (SELECT FROM attempt WHERE environment = $1 AND course_uuid = $2 AND outcome = 'accepted' AND sending_at > coalesce(
              (SELECT canary_since FROM course WHERE environment = $1 AND course_uuid = $2), '-infinity')) AS trusted,
            EXISTS (SELECT FROM attempt WHERE environment = $1 AND course_uuid = $2 AND phase IN ('prepared', 'sending')) AS busy`,
    [environment, course],
  )
  return rows[0] ?? { trusted: false, busy: false }
}

export interface Breaker {
  /**
   * The length of the first pause. Each further pause without an accepted call in between is twice as long as the
   * previous one, up to `maxMs`.
   */
  firstMs: number
  maxMs: number
}

const unknownTwiceReason =
  'two calls in a row had an unknown outcome; the report is being checked, and one recipient is sent alone first'
const unknownAgainReason = 'the retry also had an unknown outcome; one recipient is sent alone next'
const refusedTwiceReason =
  'the service has refused or not answered the first two calls; one recipient is sent alone next'

/**
 * Pauses the course if the outcomes of its last two calls were both unknown. For a course that has not accepted any
 * call yet, refused calls count too. The course then needs a canary again. While the service has problems, more calls
 * only lead to more unknown outcomes, and a whole list must not be sent for a course that refuses every recipient.
 *
 * Overlapping calls count as one. After a pause, a single unknown outcome is enough until a call is accepted. Two kinds
 * of calls are not counted: a call whose worker died gives no information about the service, and a call with rejected
 * keys gives none about the course.
 * @returns the length of the pause in milliseconds; null when the course was not paused
 */
export async function pauseAfterTrouble(
  sql: Sql,
  environment: string,
  courseUuid: string,
  { firstMs, maxMs }: Breaker,
): Promise<number | null> {
  const { rows } = await sql.query<{ ms: number }>(
    `WITH known AS (SELECT canary_since, trouble_level FROM course WHERE environment = $1 AND course_uuid = $2),
          since AS (SELECT coalesce((SELECT canary_since FROM known), '-infinity') AS at),
          call AS (SELECT a.outcome, a.sending_at, a.ended_at FROM attempt a, since
                   WHERE a.environment = $1 AND a.course_uuid = $2 AND a.sending_at > since.at
                     AND a.error_code IS DISTINCT FROM 'WORKER_DIED' AND a.outcome <> 'unauthorised'),
          trust AS (SELECT bool_or(outcome = 'accepted') AS won FROM call),
          level AS (SELECT CASE WHEN won THEN 0 ELSE coalesce((SELECT trouble_level FROM known), 0) END AS before FROM trust),
          unknown AS (SELECT count(*) > 0 AS seen, max(sending_at) >= min(ended_at) AS apart FROM call
                      WHERE ended_at > coalesce((SELECT max(ended_at) FROM call WHERE outcome <> 'unknown'), '-infinity')),
          untaken AS (SELECT NOT won AND max(sending_at) >= min(ended_at) AS apart FROM call, trust
                      WHERE ended_at > coalesce((SELECT max(ended_at) FROM call WHERE outcome NOT IN ('unknown', 'refused')), '-infinity')
                      GROUP BY won),
          pause AS (SELECT before, least($4::float8, $3::float8 * 2 ^ least(before, 30)) AS seconds,
                           CASE WHEN seen AND before > 0 THEN $6::text WHEN unknown.apart THEN $5 ELSE $7 END AS reason
                    FROM level, unknown LEFT JOIN untaken ON true
                    WHERE (seen AND before > 0) OR unknown.apart OR untaken.apart)
     INSERT INTO course AS c (environment, course_uuid, paused_until, pause_reason, canary_since, paused_since, paused_after_trouble, trouble_level)
     SELECT $1, $2, clock_timestamp() + make_interval(secs => seconds), reason, clock_timestamp(), clock_timestamp(), true, before + 1 FROM pause
     ON CONFLICT (environment, course_uuid) DO UPDATE
       SET paused_until = excluded.paused_until, pause_reason = excluded.pause_reason, canary_since = excluded.canary_since,
           paused_since = CASE WHEN excluded.trouble_level > 1 AND c.paused_after_trouble THEN c.paused_since ELSE excluded.paused_since END,
           paused_after_trouble = true, trouble_level = excluded.trouble_level
     RETURNING (SELECT round(seconds * 1000)::int FROM pause) AS ms`,
    [
      environment,
      courseUuid,
      firstMs / 1_000,
      maxMs / 1_000,
      unknownTwiceReason,
      unknownAgainReason,
      refusedTwiceReason,
    ],
  )
  return rows[0]?.ms ?? null
}
