// Records the outcome of an attempt and moves its rows to their next states, after the call has ended or its worker has
// died. Works even if the ledger was rolled back and has lost the claim. Writes to the database.

import type { OutcomeClass } from '#src/domain/credential/outcome-class.ts'
import type { State } from '#src/domain/credential/state.ts'
import type { Database, Sql } from '#src/platform/database/database.ts'
import { attemptDescription, giveBackRows, isInAttempt, lockBatch } from './attempts.ts'
import { type CommittedClaim, forgottenCallReason, knowsClaim, stopSending } from './commit-claim.ts'

/** The outcome of a call. */
export interface AttemptEnd {
  class: OutcomeClass
  status: number | null
  code: string | null
  words: string
}

/** The next steps of the rows. They are decided in src/issuing/reconcile and carried out here. */
export interface Disposal {
  /**
   * In order, starting from `sending`. Rows that end as `unconfirmed` stay in the attempt until the report settles
   * them.
   */
  steps: readonly { to: State; event: string; reason: string | null }[]
  /** Milliseconds until rows that end in `pending` may be picked again. */
  waitMs: number
  /** The batch size to remember for the course if the batch was too large. */
  batchLimit: number | null
}

export interface EndedCall {
  /** Number of rows that changed state. */
  rows: number
  /**
   * The state in which the attempt was found. `sending`: it was in progress, as expected. `late`: it had already ended,
   * so the late response changes nothing. `forgotten`: the ledger was rolled back and has no record of the claim, so
   * sending is stopped. If `rows` is zero in that case, the attempt is missing as well.
   */
  found: 'sending' | 'late' | 'forgotten'
}

export function outcomeStore(db: Database, environment: string) {
  return {
    /** Records the outcome of a call, and moves the rows of its attempt. */
    async end(
      { attemptId, claim }: { attemptId: number; claim: CommittedClaim },
      end: AttemptEnd,
      disposal: Disposal,
    ): Promise<EndedCall> {
      return db.transaction(async (sql) => {
        await lockBatch(sql, attemptId)
        const isKnown = await knowsClaim(sql, environment, claim)
        const attemptExists = isKnown || (await restoreAttempt(sql, attemptId, claim))
        // This comes after locking the rows, in the same order as in a claim, so that two transactions cannot deadlock.
        if (!isKnown) await stopSending(sql, environment, forgottenCallReason(`batch ${attemptId}`, claim, end.class))
        if (!attemptExists) return { rows: 0, found: 'forgotten' }
        const { rows } = await sql.query<{ environment: string; course: string }>(
          `UPDATE attempt SET phase = 'ended', ended_at = clock_timestamp(), outcome = $2, http_status = $3, error_code = $4, words = $5
           WHERE id = $1 AND phase = 'sending' RETURNING environment, course_uuid AS course`,
          [attemptId, end.class, end.status, end.code, end.words],
        )
        if (!rows[0]) return { rows: 0, found: 'late' }
        let movedRows = 0
        for (const [index, step] of disposal.steps.entries()) {
          const leave = index === disposal.steps.length - 1 && step.to !== 'unconfirmed'
          movedRows = await moveItems(sql, attemptId, { ...step, leave }, end, disposal.waitMs)
        }
        if (disposal.batchLimit !== null) await rememberLimit(sql, rows[0], disposal.batchLimit)
        return { rows: movedRows, found: isKnown ? 'sending' : 'forgotten' }
      })
    },
    /**
     * Records an unknown outcome for attempts that are still `sending` although their process has died. An attempt
     * counts as lost when its deadline has passed. This includes attempts of this process whose outcome could not be
     * recorded, for example because of a full disk.
     * @param aliveInstance set if this process is the only worker, in which case attempts of all other instances count
     * as lost immediately
     * @param session the session that holds the worker lock, so that only its current holder can declare others dead
     * @param deadInstances instances whose attempts count as lost immediately
     * @returns the ids of the lost attempts
     */
    async markLost(
      aliveInstance: string | null,
      session: Sql = db,
      deadInstances: readonly string[] = [],
    ): Promise<number[]> {
      const { rows } = await session.query<{ id: number }>(
        `WITH dead AS (
           SELECT id FROM attempt
           WHERE environment = $1 AND phase = 'sending' AND (instance <> $2::uuid OR instance = ANY($3::uuid[]) OR deadline_at < clock_timestamp())),
         -- Rows before attempts, which is the order of locks everywhere. The condition on held is always true: it makes
         -- this part run before the next one.
         held AS MATERIALIZED (
           SELECT i.id, i.attempt_id, i.state FROM issuance i
           WHERE i.id = ANY(ARRAY(SELECT issuance_id FROM attempt_item WHERE attempt_id = ANY(ARRAY(SELECT id FROM dead))))
           ORDER BY i.id FOR NO KEY UPDATE),
         lost AS (
           UPDATE attempt SET phase = 'ended', ended_at = clock_timestamp(), outcome = 'unknown', error_code = 'WORKER_DIED',
             words = 'the worker ended while the call was under way'
           WHERE phase = 'sending' AND id IN (SELECT id FROM dead) AND (SELECT count(*) FROM held) >= 0
           RETURNING id),
         doubted AS (
           UPDATE issuance SET state = 'unconfirmed', event = 'worker died while sending', evidence = '{"outcome": "unknown", "code": "WORKER_DIED"}',
             reason = 'the outcome of the call is unknown; the report decides', due_at = clock_timestamp()
           WHERE id = ANY(ARRAY(SELECT h.id FROM held h JOIN lost ON lost.id = h.attempt_id WHERE h.state = 'sending')))
         SELECT id FROM lost ORDER BY id`,
        [environment, aliveInstance, deadInstances],
      )
      return rows.map((row) => row.id)
    },
  }
}

async function moveItems(
  sql: Sql,
  attemptId: number,
  step: Disposal['steps'][number] & { leave: boolean },
  end: AttemptEnd,
  waitMs: number,
): Promise<number> {
  const evidence = { outcome: end.class, status: end.status, code: end.code, words: end.words }
  const { rowCount } = await sql.query(
    `UPDATE issuance SET state = $2, event = $3, evidence = $4, reason = $5, due_at = clock_timestamp() + make_interval(secs => $6),
       open_attempt = CASE WHEN $7 THEN NULL ELSE open_attempt END
     WHERE ${isInAttempt}`,
    [attemptId, step.to, step.event, JSON.stringify(evidence), step.reason, waitMs / 1_000, step.leave],
  )
  return rowCount
}

async function rememberLimit(sql: Sql, key: { environment: string; course: string }, limit: number): Promise<void> {
  await sql.query(
    `INSERT INTO course (environment, course_uuid, batch_limit) VALUES ($1, $2, $3)
     ON CONFLICT (environment, course_uuid) DO UPDATE SET batch_limit = least(course.batch_limit, $3)`,
    [key.environment, key.course, limit],
  )
}

/**
 * Restores an attempt whose call was made before the ledger was rolled back, so that the call's outcome can be
 * recorded. Those of its rows that are now pending return to `sending`, and other prepared batches that now contain
 * these rows are dropped. Must run inside a transaction.
 * @returns false if the ledger has no such attempt, or if it was already sent with another claim
 */
async function restoreAttempt(sql: Sql, attemptId: number, { at, what }: CommittedClaim): Promise<boolean> {
  const wasInAttempt = 'id = ANY(ARRAY(SELECT issuance_id FROM attempt_item WHERE attempt_id = $1))'
  await sql.query(`SELECT FROM issuance WHERE ${wasInAttempt} ORDER BY id FOR NO KEY UPDATE`, [attemptId])
  const { rows } = await sql.query<{ id: number }>(
    `UPDATE attempt SET phase = 'sending', sending_at = $2, deadline_at = clock_timestamp()
     WHERE id = $1 AND phase IN ('prepared', 'dropped') AND ${attemptDescription} = $3 RETURNING id`,
    [attemptId, at, what],
  )
  if (!rows[0]) return false
  const { rows: otherAttempts } = await sql.query<{ id: number }>(
    `UPDATE attempt SET phase = 'dropped', ended_at = clock_timestamp(), words = 'one of its rows was sent by a call that the ledger had forgotten'
     WHERE phase = 'prepared' AND id = ANY(ARRAY(SELECT open_attempt FROM issuance WHERE ${wasInAttempt})) RETURNING id`,
    [attemptId],
  )
  await giveBackRows(sql, otherAttempts)
  await sql.query(
    `UPDATE issuance SET state = 'sending', event = 'sending, as a call that the ledger had forgotten', evidence = jsonb_build_object('at', $2::timestamptz),
       attempt_id = $1, open_attempt = $1, reason = NULL, first_sent_at = least(first_sent_at, $2), last_sent_at = $2, looks = 0, controlled_looks = 0, last_look_at = NULL
     WHERE state = 'pending' AND ${wasInAttempt}`,
    [attemptId, at],
  )
  return true
}
