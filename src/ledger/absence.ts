// Rows of unknown outcome that a complete scan of the report did not show. What a scan proves, it proves about calls made before it
// began: a worker that was frozen with its proof in hand finds here that the row was sent again meanwhile.

import type { Sql } from '#src/database/database.ts'
import type { StartedScan } from './scans.ts'

export interface UnshownRow {
  id: number
  courseUuid: string
  attemptId: number
  outcome: 'unknown' | 'refused'
  batchSize: number
  /** End of the call as it was written down; what was sent after it can be its control. */
  endedAt: Date
  /** End of the call, or its deadline where that came first: the service can't have heard of it later. */
  overAt: Date
  deadlineAt: Date
  looks: number
  controlledLooks: number
  lastLookAt: Date | null
  /** The report has shown a row of its batch, whatever became of that row since. */
  batchShown: boolean
  resends: number
}

/** Unconfirmed rows that a reading back to `since` covers (the day before the first sending is in reach) and that have no item. */
export async function unshownRows(sql: Sql, environment: string, since: string): Promise<UnshownRow[]> {
  const { rows } = await sql.query<UnshownRow>(
    `WITH doubted AS MATERIALIZED (
       SELECT i.id, i.course_uuid, i.attempt_id, i.looks, i.controlled_looks, i.last_look_at, i.resends FROM issuance i
       WHERE i.environment = $1 AND i.state = 'unconfirmed' AND (i.first_sent_at AT TIME ZONE 'UTC')::date > $2::date
         AND NOT EXISTS (SELECT FROM claim c WHERE c.issuance_id = i.id)),
     batch AS (
       SELECT a.id, a.outcome, a.size, a.ended_at, a.deadline_at, a.shown_at IS NOT NULL AS shown
       FROM attempt a WHERE a.id IN (SELECT attempt_id FROM doubted))
     SELECT d.id, d.course_uuid AS "courseUuid", d.attempt_id AS "attemptId", b.outcome, b.size AS "batchSize",
            b.ended_at AS "endedAt", least(b.deadline_at, b.ended_at) AS "overAt", b.deadline_at AS "deadlineAt",
            d.looks, d.controlled_looks AS "controlledLooks", d.last_look_at AS "lastLookAt", b.shown AS "batchShown", d.resends
     FROM doubted d JOIN batch b ON b.id = d.attempt_id ORDER BY d.id`,
    [environment, since],
  )
  return rows
}

/**
 * Writes down that these rows were looked for once more. The history tells of the first eight looks: later ones say nothing new.
 * @param look.lastLookAt their last look as it was when they were judged; one that has been counted since stands alone
 * @returns the rows for which the look counts
 */
export async function noteLooks(
  sql: Sql,
  ids: readonly number[],
  scan: StartedScan,
  look: { controlShown: boolean; lastLookAt: Date | null },
): Promise<number[]> {
  const { rows } = await sql.query<{ id: number }>(
    `WITH looked AS (
       UPDATE issuance SET looks = looks + 1, controlled_looks = controlled_looks + $4, last_look_at = $2 WHERE id = ANY($1) AND state = 'unconfirmed' AND last_sent_at <= $2
         AND last_look_at IS NOT DISTINCT FROM $5::timestamptz
       RETURNING id, looks, attempt_id),
     told AS (
     INSERT INTO history (issuance_id, event, attempt_id, evidence)
     SELECT id, 'not in the report', attempt_id, jsonb_build_object('look', looks, 'scan', $3::bigint, 'control', $4 = 1) FROM looked WHERE looks <= 8)
     SELECT id FROM looked ORDER BY id`,
    [ids, scan.startedAt, scan.id, look.controlShown ? 1 : 0, look.lastLookAt],
  )
  return rows.map((row) => row.id)
}

/** Proven not applied: back to pending. With a `batchCap` the rows travel in batches of at most so many. */
export async function sendAgain(
  sql: Sql,
  ids: readonly number[],
  of: { batchCap: number | null; countsAsResend: boolean },
  scan: Pick<StartedScan, 'startedAt'>,
): Promise<void> {
  const { rows } = await sql.query<{ id: number }>(
    `UPDATE issuance SET state = 'pending', event = 'proven not applied', evidence = jsonb_build_object('looks', looks, 'cap', $2::int),
       reason = 'the report proves that the service did not take it; it is sent again', batch_cap = coalesce($2, batch_cap),
       resends = resends + $3, due_at = clock_timestamp()
     WHERE id = ANY($1) AND state = 'unconfirmed' AND last_sent_at <= $4 RETURNING id`,
    [ids, of.batchCap, of.countsAsResend ? 1 : 0, scan.startedAt],
  )
  await closeItemsOf(sql, rows)
}

/** A person decides about these rows. */
export async function holdRows(
  sql: Sql,
  ids: readonly number[],
  reason: string,
  scan: Pick<StartedScan, 'startedAt'>,
): Promise<void> {
  const { rows } = await sql.query<{ id: number }>(
    `UPDATE issuance SET state = 'held', event = 'held for a person', evidence = jsonb_build_object('why', $2::text, 'looks', looks), reason = $2
     WHERE id = ANY($1) AND state = 'unconfirmed' AND last_sent_at <= $3 RETURNING id`,
    [ids, reason, scan.startedAt],
  )
  await closeItemsOf(sql, rows)
}

async function closeItemsOf(sql: Sql, rows: readonly { id: number }[]): Promise<void> {
  await sql.query(`UPDATE attempt_item SET open = false WHERE open AND issuance_id = ANY($1)`, [
    rows.map((row) => row.id),
  ])
}
