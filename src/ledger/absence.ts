// Rows of unknown outcome that a complete scan of the report did not show.

import type { Sql } from '#src/database/database.ts'
import type { StartedScan } from './scans.ts'

/**
 * Counts one look for every unconfirmed row that the scan covered and did not show. A look counts only when a grace had passed between
 * the end of the call (or its deadline, where that came first) and the beginning of the scan, and when the last one lies a grace back.
 * @param graceMs by outcome of the call, in milliseconds
 */
export async function countLooks(
  sql: Sql,
  environment: string,
  scan: StartedScan & { since: string },
  graceMs: { unknown: number; refused: number },
): Promise<void> {
  await sql.query(
    `WITH looked AS (
       UPDATE issuance i SET looks = i.looks + 1, last_look_at = $2
       FROM attempt a
       WHERE a.id = i.attempt_id AND i.environment = $1 AND i.state = 'unconfirmed'
         AND (i.first_sent_at AT TIME ZONE 'UTC')::date > $3::date
         AND NOT EXISTS (SELECT FROM claim c WHERE c.issuance_id = i.id)
         AND least(a.deadline_at, a.ended_at) + make_interval(secs => CASE a.outcome WHEN 'refused' THEN $5::float ELSE $4::float END) <= $2
         AND (i.last_look_at IS NULL OR i.last_look_at + make_interval(secs => CASE a.outcome WHEN 'refused' THEN $5::float ELSE $4::float END) <= $2)
       RETURNING i.id, i.looks, i.attempt_id)
     INSERT INTO history (issuance_id, event, attempt_id, evidence)
     SELECT id, 'not in the report', attempt_id, jsonb_build_object('look', looks, 'scan', $6::bigint) FROM looked WHERE looks <= 8`,
    [environment, scan.startedAt, scan.since, graceMs.unknown / 1_000, graceMs.refused / 1_000, scan.id],
  )
}

export interface DoubtfulRow {
  id: number
  attemptId: number
  outcome: 'unknown' | 'refused'
  batchSize: number
  looks: number
  siblingVisible: boolean
  controlVisible: boolean
  resends: number
}

/** Unconfirmed rows with at least `looks` looks, and what the ledger knows about their batch and about what was sent later. */
export async function doubtfulRows(sql: Sql, environment: string, looks: number): Promise<DoubtfulRow[]> {
  const { rows } = await sql.query<DoubtfulRow>(
    `WITH doubted AS (SELECT i.id, i.attempt_id, i.looks, i.resends FROM issuance i
                      WHERE i.environment = $1 AND i.state = 'unconfirmed' AND i.looks >= $2),
          batch AS (
            SELECT a.id, a.outcome, a.size,
              EXISTS (SELECT FROM attempt_item t JOIN claim c ON c.issuance_id = t.issuance_id WHERE t.attempt_id = a.id) AS sibling,
              EXISTS (SELECT FROM issuance o JOIN attempt later ON later.id = o.attempt_id JOIN claim c ON c.issuance_id = o.id
                      WHERE o.environment = a.environment AND o.course_uuid = a.course_uuid
                        AND later.outcome = 'accepted' AND later.sending_at > a.ended_at) AS control
            FROM attempt a WHERE a.id IN (SELECT attempt_id FROM doubted))
     SELECT d.id, d.attempt_id AS "attemptId", b.outcome, b.size AS "batchSize", d.looks, b.sibling AS "siblingVisible", b.control AS "controlVisible", d.resends
     FROM doubted d JOIN batch b ON b.id = d.attempt_id`,
    [environment, looks],
  )
  return rows
}

/** Proven not applied: back to pending. Without a `cap` it counts as the one automatic re-send of the row's life. */
export async function sendAgain(
  sql: Sql,
  ids: readonly number[],
  of: { cap: number | null; countsAsResend: boolean },
): Promise<void> {
  await sql.query(
    `UPDATE issuance SET state = 'pending', event = 'proven not applied', evidence = jsonb_build_object('looks', looks, 'cap', $2::int),
       reason = 'the report proves that the service did not take it; it is sent again', batch_cap = coalesce($2, batch_cap),
       resends = resends + $3, due_at = clock_timestamp()
     WHERE id = ANY($1) AND state = 'unconfirmed'`,
    [ids, of.cap, of.countsAsResend ? 1 : 0],
  )
  await sql.query(`UPDATE attempt_item SET open = false WHERE open AND issuance_id = ANY($1)`, [ids])
}

export async function holdRows(sql: Sql, ids: readonly number[], reason: string): Promise<void> {
  await sql.query(
    `UPDATE issuance SET state = 'held', event = 'held for a person', evidence = jsonb_build_object('why', $2::text, 'looks', looks), reason = $2
     WHERE id = ANY($1) AND state IN ('unconfirmed', 'requested', 'in_progress')`,
    [ids, reason],
  )
  await sql.query(`UPDATE attempt_item SET open = false WHERE open AND issuance_id = ANY($1)`, [ids])
}
