// Handles the first list of a course for which this ledger has neither sent nor adopted anything. Credentials that
// others have issued must not be issued again without an operator's approval. So before such a list is published, the
// report is searched once for the course, and the result is stored with the course. Reads and writes the database; the
// report is read elsewhere.

import type { Database, Sql } from '#src/platform/database/database.ts'

/** The result of searching the report for the course: a sentence, or null if the report shows nothing. */
export interface FirstList {
  shows: string | null
}

/**
 * `settled` means that credentials of the course were sent, adopted or approved, or that the report showed none.
 * `unknown` means that the report has not been searched yet.
 */
export type FirstListStatus = 'settled' | 'unknown' | { shows: string }

type CourseKey = { environment: string; course: string }

export function firstListStore(db: Database, environment: string) {
  return {
    async status(course: string): Promise<FirstListStatus> {
      const { rows } = await db.query<{ state: string | null; shows: string | null; issued: boolean }>(
        `SELECT c.first_list AS state, c.first_list_shows AS shows,
                -- An unfinished adoption may contain only a part of the course's credentials.
                EXISTS (SELECT FROM issuance i WHERE i.environment = $1 AND i.course_uuid = $2 AND i.first_sent_at IS NOT NULL
                        AND NOT EXISTS (SELECT FROM run WHERE run.id = i.run_id AND run.adopting)) AS issued
         FROM (SELECT) one LEFT JOIN course c ON c.environment = $1 AND c.course_uuid = $2`,
        [environment, course],
      )
      const { state = null, shows = null, issued = false } = rows[0] ?? {}
      if (issued || (state !== null && state !== 'shown')) return 'settled'
      return shows === null ? 'unknown' : { shows }
    },
    /**
     * Returns a sample of the people for whom the staged rows of a run would issue credentials. It is effectively
     * random, but the same each time.
     * @returns their recipients
     */
    async sample(runId: string, course: string, limit: number): Promise<Readonly<Record<string, string>>[]> {
      const { rows } = await db.query<{ recipient: Record<string, string> }>(
        // The issuance key is a keyed hash, so its order is unrelated to the people.
        `WITH picked AS (
           SELECT min(s.row_number) AS row_number FROM staged_row s JOIN run ON run.id = s.run_id
           WHERE s.run_id = $1 AND s.violations IS NULL AND NOT EXISTS (
             SELECT FROM issuance i WHERE i.environment = run.environment AND i.course_uuid = $2 AND i.issuance_key = s.issuance_key)
           GROUP BY s.issuance_key ORDER BY s.issuance_key LIMIT $3)
         SELECT recipient FROM staged_row JOIN picked USING (row_number) WHERE run_id = $1 ORDER BY issuance_key`,
        [runId, course, limit],
      )
      return rows.map((row) => row.recipient)
    },
    /** Records why a run cannot be read yet, for operators who are waiting for it. */
    async noteWaiting(runId: string, because: string): Promise<void> {
      await db.query(
        `UPDATE run SET waits_because = $2, waits_since = CASE WHEN waits_because IS NULL THEN clock_timestamp() ELSE waits_since END
         WHERE id = $1 AND state = 'received'`,
        [runId, because],
      )
    },
  }
}

/**
 * Returns why a list must still be held, or null if it need not be, because an operator may have decided since the
 * report was read. Called while no other list of the course can be published.
 */
export async function reasonToHold(
  sql: Sql,
  courseKey: CourseKey,
  firstList: FirstList | undefined,
): Promise<string | null> {
  if (!firstList || firstList.shows === null) return null
  const { rows } = await sql.query<{ decided: boolean }>(
    `SELECT first_list IN ('approved', 'adopted') AS decided FROM course WHERE environment = $1 AND course_uuid = $2`,
    [courseKey.environment, courseKey.course],
  )
  return rows[0]?.decided ? null : firstList.shows
}

/** Stores what the report shows for the course, unless an operator has already decided about the course. */
export async function noteFirstList(sql: Sql, { environment, course }: CourseKey, { shows }: FirstList): Promise<void> {
  await sql.query(
    `INSERT INTO course (environment, course_uuid, first_list, first_list_shows) VALUES ($1, $2, $3, $4)
     ON CONFLICT (environment, course_uuid) DO UPDATE SET first_list = excluded.first_list, first_list_shows = excluded.first_list_shows
     WHERE course.first_list IS NULL OR course.first_list NOT IN ('approved', 'adopted')`,
    [environment, course, shows === null ? 'clear' : 'shown', shows],
  )
}

/** Records that an operator approved a list of the course or adopted its items. */
export async function settleFirstList(sql: Sql, courseKey: CourseKey, decision: 'approved' | 'adopted'): Promise<void> {
  await sql.query(
    `INSERT INTO course (environment, course_uuid, first_list) VALUES ($1, $2, $3)
     ON CONFLICT (environment, course_uuid) DO UPDATE SET first_list = excluded.first_list, first_list_shows = NULL`,
    [courseKey.environment, courseKey.course, decision],
  )
}

/**
 * Deletes what the report showed for the course, because the held list was rejected. For the next list, the report is
 * searched again with the people of that list.
 */
export async function forgetFirstList(sql: Sql, { environment, course }: CourseKey): Promise<void> {
  await sql.query(
    `UPDATE course SET first_list = NULL, first_list_shows = NULL WHERE environment = $1 AND course_uuid = $2 AND first_list = 'shown'`,
    [environment, course],
  )
}
