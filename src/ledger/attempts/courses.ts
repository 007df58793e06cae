// Pauses courses, and reads what issuing has revealed about a course: its batch limit, and whether it needs a canary.
// Reads and writes the database.

import type { Database, Sql } from '#src/platform/database/database.ts'
import { dropPrepared, lockPrepared } from './attempts.ts'
import { type Breaker, isTrusted, pauseAfterTrouble } from './canary.ts'
import { lockPicking } from './prepare.ts'

export function courseStore(db: Database, environment: string) {
  return {
    /** Pauses a course. Its rows stay pending and are sent when the pause ends. */
    async pause(courseUuid: string, reason: string, ms: number): Promise<void> {
      await db.query(
        `INSERT INTO course AS c (environment, course_uuid, paused_until, pause_reason, paused_since)
         VALUES ($1, $2, clock_timestamp() + make_interval(secs => $4), $3, clock_timestamp())
         ON CONFLICT (environment, course_uuid) DO UPDATE
           SET paused_until = excluded.paused_until, pause_reason = excluded.pause_reason, paused_after_trouble = false,
               -- Paused again for the same reason right after a pause: the course has been waiting since the first one.
               paused_since = CASE WHEN c.pause_reason = $3 AND c.paused_until > clock_timestamp() - interval '1 minute'
                                   THEN c.paused_since ELSE excluded.paused_since END`,
        [environment, courseUuid, reason, ms / 1_000],
      )
    },
    /**
     * Returns the largest batch size that is known to work for the pipeline's course, or null if the service has never
     * reported a batch as too large.
     */
    async learnedBatchLimit(pipeline: string): Promise<number | null> {
      const { rows } = await db.query<{ limit: number | null }>(
        `SELECT min(c.batch_limit) AS limit FROM course c WHERE c.environment = $1
           AND EXISTS (SELECT FROM run WHERE environment = $1 AND pipeline = $2 AND course_uuid = c.course_uuid)`,
        [environment, pipeline],
      )
      return rows[0]?.limit ?? null
    },
    /** Returns whether the next call for the course would be a canary. */
    needsCanary: async (course: string) => !(await isTrusted(db, environment, course)),
    /** Pauses a course if its last calls failed (see canary.ts), and drops its prepared batches. */
    pauseAfterTrouble: (courseUuid: string, breaker: Breaker) =>
      db.transaction(async (sql) => {
        // Without this lock a batch that is being prepared now would still be sent, and two workers could pause the
        // course twice because of the same calls.
        await lockPicking(sql, environment)
        await lockPrepared(sql, environment, courseUuid)
        const paused = await pauseAfterTrouble(sql, environment, courseUuid, breaker)
        if (paused !== null) await dropPrepared(sql, environment, courseUuid, 'the course is paused')
        return paused
      }),
    /** Returns the current pauses, of every environment if the ledger is opened for `any`. */
    pauses: () => pauses(db, environment === 'any' ? null : environment),
  }
}

export interface CoursePause {
  courseUuid: string
  reason: string
  /** When the first consecutive pause for this reason began. */
  since: Date
  until: Date
  /**
   * Whether the course was paused because the outcomes of calls were unknown or refused. Such a pause is followed by a
   * canary.
   */
  afterTrouble: boolean
}

/** The current pauses. @param environment null for every environment */
export async function pauses(sql: Sql, environment: string | null): Promise<CoursePause[]> {
  const { rows } = await sql.query<CoursePause>(
    `SELECT course_uuid AS "courseUuid", pause_reason AS reason, coalesce(paused_since, clock_timestamp()) AS since, paused_until AS until,
            paused_after_trouble AS "afterTrouble"
     FROM course WHERE ($1::text IS NULL OR environment = $1) AND paused_until > clock_timestamp()`,
    [environment],
  )
  return rows
}
