// Empties the rows of lists that are older than their pipeline keeps data. The rows keep their places and outcomes, and
// so do the credentials, whose data stay as long as a newer list names them. Writes to the database within the caller's
// transaction.

import type { Sql } from '#src/platform/database/database.ts'
import { isNewestList } from '../runs/compare-with-last-list.ts'
import { erasureOfToday } from './erasure-of-today.ts'
import { keptOfViolations } from './kept-evidence.ts'
import { isWaitingChange, needsDecision } from './retention-waits.ts'
import { writeCompletions } from './write-contents.ts'

/** How far back a pipeline keeps data. */
export interface RetentionScope {
  environment: string
  pipeline: string
  days: number
  now: Date
}

/** SQL: whether a time is older than the pipeline keeps data. A clock that is ahead of the database's deletes nothing early. */
export const isPast = (at: string, now: string, days: string) =>
  `${at} < least(${now}::timestamptz, clock_timestamp()) - make_interval(days => ${days}::int)`

/**
 * SQL: whether nobody needs the list's rows any more: every row of it has come to rest, its results are written, and no
 * list will be compared with it. While another list of the pipeline is read or held, nothing of the pipeline expires.
 */
export const isExpirable = `run.state = 'published' AND NOT run.adopting AND NOT ${isNewestList('run')}
  AND NOT EXISTS (SELECT FROM write_back w WHERE w.run_id = run.id AND w.written < w.wanted)
  AND NOT EXISTS (SELECT FROM run o WHERE o.environment = run.environment AND o.pipeline = run.pipeline AND o.state IN ('received', 'braked') AND o.settled_at IS NULL)`

/**
 * Empties the next rows of one list, and notes when all of it is done. Its people are then looked at one by one
 * (expire-people.ts).
 * @returns how many rows were emptied, and whether there may be more to do
 */
export async function expireRows(
  sql: Sql,
  { environment, pipeline, days, now }: RetentionScope,
  limit: number,
): Promise<{ rows: number; isBusy: boolean }> {
  const { rows: lists } = await sql.query<{ id: string }>(
    `SELECT id FROM run WHERE environment = $1 AND pipeline = $2 AND expired_at IS NULL AND ${isPast('settled_at', '$4', '$3')} AND ${isExpirable}
     ORDER BY settled_at, id LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED`,
    [environment, pipeline, days, now],
  )
  const [list] = lists
  if (!list) return { rows: 0, isBusy: false }
  const { rowCount } = await sql.query(
    `UPDATE run_row r SET cells = '[]', raw = NULL, image_sha256 = NULL, reason = NULL, violations = ${keptOfViolations('r.violations')},
       change_over = r.change_over OR r.changed_fields IS NOT NULL
     FROM (SELECT r.row_number FROM run_row r LEFT JOIN issuance i ON i.id = r.issuance_id
           WHERE r.run_id = $1 AND r.cells <> '[]' AND (i.id IS NULL OR NOT (${needsDecision} OR ${isWaitingChange('r')})) ORDER BY r.row_number LIMIT $2) due
     WHERE r.run_id = $1 AND r.row_number = due.row_number`,
    [list.id, limit],
  )
  if (rowCount === 0) {
    await noteExpired(sql, list.id)
    await expireLateCompletions(sql, { environment, pipeline, days, now }, list.id)
  }
  return { rows: rowCount, isBusy: true }
}

/** Everybody on the list goes into the queue, except those whom the newest list names: they come with that list. */
async function noteExpired(sql: Sql, runId: string): Promise<void> {
  await sql.query('UPDATE run SET expired_at = clock_timestamp() WHERE id = $1', [runId])
  await sql.query(
    `INSERT INTO expiring_issuance (issuance_id)
     SELECT issuance_id FROM run_row WHERE run_id = $1 AND issuance_id IS NOT NULL
     EXCEPT SELECT r.issuance_id FROM run this JOIN run newest ON newest.environment = this.environment AND newest.course_uuid = this.course_uuid AND ${isNewestList('newest')}
            JOIN run_row r ON r.run_id = newest.id WHERE this.id = $1
     EXCEPT SELECT e.issuance_id FROM run_row r JOIN erased_issuance e ON e.issuance_id = r.issuance_id WHERE r.run_id = $1
     ON CONFLICT DO NOTHING`,
    [runId],
  )
}

/** A completion goes with its credential. One whose credential went before goes with its list. */
async function expireLateCompletions(sql: Sql, scope: RetentionScope, runId: string): Promise<void> {
  const { rows } = await sql.query<{ id: number }>(
    `SELECT c.id FROM run_row r JOIN completion c ON c.run_id = r.run_id AND c.row_number = r.row_number
     JOIN erased_issuance e ON e.issuance_id = r.issuance_id AND e.emptied_at IS NOT NULL
     WHERE r.run_id = $1 AND r.cells = '[]' AND NOT EXISTS (SELECT FROM erased_completion o WHERE o.completion_id = c.id) ORDER BY c.id`,
    [runId],
  )
  if (rows.length === 0) return
  const completions = rows.map(({ id }) => id)
  const others = { runs: [], rows: [] }
  await writeCompletions(sql, await erasureOfToday(sql, scope), scope.environment, { ids: [], completions, others })
}
