// Reads and updates rows with an unknown outcome that a complete scan of the report did not show. A scan is evidence
// only for calls made before it began. So each update here checks `last_sent_at`, because the row may have been sent
// again while a worker was suspended after its scan.

import type { Sql } from '#src/platform/database/database.ts'
import { eachOf } from '#src/platform/database/index-lookups.ts'
import type { StartedScan } from './scans.ts'

export interface UnshownRow {
  id: number
  courseUuid: string
  attemptId: number
  outcome: 'unknown' | 'refused'
  batchSize: number
  /** The recorded end of the call. Later calls can serve as its control. */
  endedAt: Date
  /**
   * The end of the call, or its deadline if that was earlier. The service cannot have received the request after this
   * time.
   */
  overAt: Date
  deadlineAt: Date
  looks: number
  controlledLooks: number
  lastLookAt: Date | null
  /** Whether the report has shown any row of its batch, even if the state of that row has changed since. */
  batchShown: boolean
  resends: number
}

export function absenceStore(db: Sql, environment: string) {
  return {
    /**
     * Returns unconfirmed rows without a report item that are covered by a scan back to `since`. A scan covers a row if
     * it reaches back to the day before the row was first sent.
     */
    async unshownRows(since: string): Promise<UnshownRow[]> {
      const { rows } = await db.query<UnshownRow>(
        `WITH doubted AS MATERIALIZED (
           SELECT i.id, i.course_uuid, i.attempt_id, i.looks, i.controlled_looks, i.last_look_at, i.resends FROM issuance i
           WHERE i.environment = $1 AND i.state = 'unconfirmed' AND (i.first_sent_at AT TIME ZONE 'UTC')::date > $2::date
             AND NOT EXISTS (SELECT FROM report_claim c WHERE c.issuance_id = i.id)),
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
    },
    /**
     * Counts another scan that did not show these rows. Only the first eight scans are recorded in the history, because
     * later ones add no information.
     * @param look.lastLookAt the rows' last counted scan, as read before the decision; rows for which another scan has
     * been counted since are left out
     * @returns the rows for which the scan was counted
     */
    async noteLooks(
      ids: readonly number[],
      scan: StartedScan,
      look: { controlShown: boolean; lastLookAt: Date | null },
    ): Promise<number[]> {
      const { rows } = await db.query<{ id: number }>(
        `WITH looked AS (
           UPDATE issuance SET looks = looks + 1, controlled_looks = controlled_looks + $4, last_look_at = $2 WHERE id = ${eachOf('$1')} AND state = 'unconfirmed' AND last_sent_at <= $2
             AND last_look_at IS NOT DISTINCT FROM $5::timestamptz
           RETURNING id, looks, attempt_id),
         noted AS (
         INSERT INTO history (issuance_id, event, attempt_id, evidence)
         SELECT id, 'not in the report', attempt_id, jsonb_build_object('look', looks, 'scan', $3::bigint, 'control', $4 = 1) FROM looked WHERE looks <= 8)
         SELECT id FROM looked ORDER BY id`,
        [ids, scan.startedAt, scan.id, look.controlShown ? 1 : 0, look.lastLookAt],
      )
      return rows.map((row) => row.id)
    },
    /**
     * Returns rows to `pending` after it is proven that the service did not process their request. With a `batchCap`,
     * they are sent in batches of at most that size.
     */
    async sendAgain(
      ids: readonly number[],
      options: { batchCap: number | null; countsAsResend: boolean },
      scan: Pick<StartedScan, 'startedAt'>,
    ): Promise<void> {
      await db.query(
        `UPDATE issuance SET state = 'pending', event = 'proven not applied', evidence = jsonb_build_object('looks', looks, 'cap', $2::int),
           reason = 'the report proves that the service did not process the request, so it is sent again', batch_cap = coalesce($2, batch_cap),
           resends = resends + $3, due_at = clock_timestamp(), open_attempt = NULL
         WHERE id = ${eachOf('$1')} AND state = 'unconfirmed' AND last_sent_at <= $4`,
        [ids, options.batchCap, options.countsAsResend ? 1 : 0, scan.startedAt],
      )
    },
    /** Holds these rows until an operator decides. */
    async hold(ids: readonly number[], reason: string, scan: Pick<StartedScan, 'startedAt'>): Promise<void> {
      await db.query(
        `UPDATE issuance SET state = 'held', event = 'held for a person', evidence = jsonb_build_object('why', $2::text, 'looks', looks), reason = $2
         WHERE id = ${eachOf('$1')} AND state = 'unconfirmed' AND last_sent_at <= $3`,
        [ids, reason, scan.startedAt],
      )
    },
  }
}
