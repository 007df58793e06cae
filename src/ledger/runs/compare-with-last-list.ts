// Counts the people who were on the previous list and are missing from a new one, and stores the number with the run.
// It is only shown as a notice, because no one knows whether a list is meant to be complete. Reads and writes the
// database.

import type { Sql } from '#src/platform/database/database.ts'
import { completionsPath } from './completions-path.ts'

const partOfList = `'\\.invalid\\.(csv|xlsx)$'`

// SQL: whether a run is a whole list. A resubmission of fixed rows is only part of a list, and completions arrive
// individually, so neither shows who is missing.
const isWholeList = (run: string) =>
  `${run}.source_name !~* ${partOfList} AND ${run}.source_path NOT LIKE '${completionsPath('%')}'`
/** SQL: whether a run is a list that others are compared with. Adoptions and corrections are not. */
const isComparedWith = (run: string) =>
  `${run}.state = 'published' AND ${run}.adopts IS NULL AND ${run}.corrects IS NULL AND ${isWholeList(run)}`

/** SQL: whether the next list of the pipeline and course will be compared with this run. */
export const isNewestList = (run: string) =>
  `(${isComparedWith(run)} AND NOT EXISTS (
     SELECT FROM run newer WHERE newer.environment = ${run}.environment AND newer.pipeline = ${run}.pipeline AND newer.inbox = ${run}.inbox
       AND newer.course_uuid = ${run}.course_uuid AND newer.received_at > ${run}.received_at AND ${isComparedWith('newer')}))`

/**
 * SQL: how many people of the list `last` are not among some issuances. EXCEPT hashes both lists: with NOT EXISTS the
 * planner, which has no statistics of the rows just written, would scan one list for each row of the other. A person
 * whose issuance was corrected since is named by the issuance that replaced it.
 * @param named SQL that selects the issuances @param thatIsNamed SQL: only if `later.id` is among them
 */
const countGone = (named: string, thatIsNamed: string) => `
  (SELECT count(*)::int FROM (SELECT issuance_id FROM run_row WHERE run_id = last.id AND issuance_id IS NOT NULL EXCEPT ${named}) missing
   WHERE NOT EXISTS (
     WITH RECURSIVE later AS (
       SELECT id FROM issuance WHERE corrects = missing.issuance_id
       UNION ALL SELECT next.id FROM later JOIN issuance next ON next.corrects = later.id)
     SELECT FROM later ${thatIsNamed}))`

/**
 * Records the pipeline's previous list for the same course, and how many of its people this run does not name.
 * Adoptions and corrections are not lists, and invalid rows do not count because they may identify the wrong person.
 * Files from an inbox are compared with files from an inbox, and files given to `issue` with files given to `issue`.
 */
export async function compareWithLastList(sql: Sql, runId: string, course: string): Promise<void> {
  const thatIsNamed = 'JOIN run_row again ON again.run_id = $1 AND again.issuance_id = later.id'
  await sql.query(
    `UPDATE run SET last_list = last.id,
       gone = ${countGone('SELECT issuance_id FROM run_row WHERE run_id = $1', thatIsNamed)}
     FROM (SELECT other.id FROM run this JOIN run other ON other.environment = this.environment AND other.pipeline = this.pipeline AND other.inbox = this.inbox
           -- The list received before this one, not the list read before it: after a restart an older list may be read after a newer one.
           WHERE this.id = $1 AND other.received_at < this.received_at AND other.course_uuid = $2
             AND ${isWholeList('this')} AND ${isComparedWith('other')}
           ORDER BY other.received_at DESC, other.id LIMIT 1) last
     WHERE run.id = $1`,
    [runId, course],
  )
}

/** A list that has not been received yet. */
export interface ListToCompare {
  pipeline: string
  course: string
  sourceName: string
}

/**
 * Counts the people of the last list whom a list that is about to be issued does not name, as `compareWithLastList`
 * will.
 * @param named the issuances of its accepted rows
 * @returns null if there is no list to compare with
 */
export async function countMissing(
  sql: Sql,
  { environment, pipeline, course, sourceName }: ListToCompare & { environment: string },
  named: readonly number[],
): Promise<{ gone: number; lastList: string } | null> {
  const { rows } = await sql.query<{ gone: number; lastList: string }>(
    `SELECT last.source_name || ', ' || to_char(last.received_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS "lastList",
       ${countGone('SELECT unnest($5::bigint[])', 'WHERE later.id IN (SELECT unnest($5::bigint[]))')} AS gone
     FROM (SELECT other.id, other.source_name, other.received_at FROM run other
           WHERE other.environment = $1 AND other.pipeline = $2 AND NOT other.inbox AND other.course_uuid = $3 AND $4 !~* ${partOfList} AND ${isComparedWith('other')}
           ORDER BY other.received_at DESC, other.id LIMIT 1) last`,
    [environment, pipeline, course, sourceName, named],
  )
  return rows[0] ?? null
}
