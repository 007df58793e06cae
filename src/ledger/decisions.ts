// Carries out operators' decisions about held rows, and about failed rows that are to be sent again. Writes the new
// states to the database, and records in the history who decided and why.

import type { State } from '#src/domain/credential/state.ts'
import type { Database, Sql } from '#src/platform/database/database.ts'
import { forgottenOf } from './forgotten-people.ts'
import { asSeen, isAsSeen, type OperatorDecision, type SeenRows, seenParameters } from './operator-decision.ts'
import type { Correction } from './revocations/revocation.ts'
import {
  type HeldPart,
  type HeldRow,
  heldRows,
  isRetriable,
  type RetriableRows,
  retriableRows,
} from './rows-to-decide.ts'

type RowSelection = { ids: readonly number[] } | { run: string; until?: Date }

/** SQL: whether the issuance belongs to an accepted row of the run. */
const ofRun = (run: string) =>
  `id = ANY(ARRAY(SELECT issuance_id FROM run_row WHERE outcome = 'accepted' AND run_id = (SELECT id FROM run WHERE id::text = ${run})))`

export function decisionStore(db: Database, environment: string) {
  return {
    /** Returns the held rows, or one page of them, longest-held first. */
    heldRows: (part?: HeldPart): Promise<HeldRow[]> => heldRows(db, environment, part),
    /** Returns the failed rows of a run that `retry` would send again. */
    retriable: (run: string, limit: number): Promise<RetriableRows> => retriableRows(db, environment, run, limit),
    /**
     * Applies a decision to held rows, and releases the report item that each row had claimed. `sent` means that the
     * service has the request: nothing is sent, and the next scan of the report finds the row's own item. `not sent`
     * means that the row is sent as if for the first time, and items that the report already shows by then do not
     * belong to it.
     * @param seen the rows as the person saw them: one that has moved since is left as it is
     * @returns the ids to which the decision was applied, excluding rows that are no longer held
     */
    async resolve(
      ids: readonly number[],
      answer: 'sent' | 'not sent',
      decision: OperatorDecision,
      seen?: SeenRows,
    ): Promise<number[]> {
      return db.transaction(async (sql) => {
        const to: State = answer === 'sent' ? 'requested' : 'pending'
        const moved = await decide(sql, environment, ids, {
          from: 'held',
          to,
          event: `a person decided: ${answer}`,
          decision,
          seen,
        })
        await (answer === 'sent' ? releaseItems(sql, moved) : startOver(sql, moved))
        return moved
      })
    },
    /**
     * Sends failed rows again, except rows for which the report has since shown a credential or another item for the
     * person, and adopted rows that credsync never sent.
     * @param selection the ids of the rows, or the run whose failed rows are all sent again; with `until`, only those
     * that had failed by then
     * @param seen the rows as the person saw them: one that has moved since is left as it is
     */
    async retry(selection: RowSelection, decision: OperatorDecision, seen?: SeenRows): Promise<number[]> {
      return db.transaction(async (sql) =>
        sendAgain(sql, environment, await lockRetriable(sql, selection, { onlyComplete: true, seen }), decision),
      )
    },
    /**
     * Sends a failed row again with corrected data. Nothing is revoked, because no credential was issued. The person
     * and the occasion stay the same, and so does the issuance key.
     * @param seen the row as the person saw it
     * @returns false if the row is not (or no longer) failed, if it has moved since it was seen, or if the report has
     * since shown a credential for it
     */
    async correct(
      id: number,
      { recipient, issuanceKey, matchHashes, changedFields, imageSha256 = null }: Correction,
      decision: OperatorDecision,
      seen?: SeenRows,
    ): Promise<boolean> {
      return db.transaction(async (sql) => {
        const ids = await lockRetriable(sql, { ids: [id] }, { onlyComplete: false, seen })
        const moved = await sendAgain(sql, environment, ids, { ...decision, fields: changedFields.join(', ') })
        if (moved.length === 0) return false
        const { rowCount } = await sql.query(
          `UPDATE issuance SET recipient = $2, image_sha256 = coalesce($4, image_sha256) WHERE id = $1 AND issuance_key = $3
             AND ($4::bytea IS NULL OR EXISTS (SELECT FROM image WHERE sha256 = $4))`,
          [id, JSON.stringify(recipient), issuanceKey, imageSha256],
        )
        if (rowCount === 0)
          throw new Error(
            `The correction of i${id} is about a different person, or its image was deleted; nothing was sent.`,
          )
        await sql.query(
          'INSERT INTO issuance_match (hash, issuance_id) SELECT DISTINCT hash, $1::bigint FROM unnest($2::bytea[]) hash ON CONFLICT DO NOTHING',
          [id, matchHashes],
        )
        return true
      })
    },
  }
}

async function sendAgain(
  sql: Sql,
  environment: string,
  ids: readonly number[],
  decision: OperatorDecision & { fields?: string },
): Promise<number[]> {
  const event = 'a person decided: send again'
  const moved = await decide(sql, environment, ids, { from: 'failed', to: 'pending', event, decision })
  await startOver(sql, moved)
  return moved
}

async function decide(
  sql: Sql,
  environment: string,
  ids: readonly number[],
  step: {
    from: State
    to: State
    event: string
    decision: OperatorDecision & { fields?: string }
    seen?: SeenRows | undefined
  },
): Promise<number[]> {
  const { rows } = await sql.query<{ id: number }>(
    `UPDATE issuance SET state = $4, event = $5, evidence = $6, reason = NULL, decided_at = clock_timestamp(), due_at = clock_timestamp()
     WHERE environment = $1 AND id = ANY($2) AND state = $3 AND ${isAsSeen('$7', '$8')} RETURNING id`,
    [environment, ids, step.from, step.to, step.event, JSON.stringify(step.decision), ...seenParameters(step.seen)],
  )
  // A run with an open row is no longer settled.
  const moved = rows.map((row) => row.id)
  await sql.query('UPDATE run SET settled_at = NULL WHERE id IN (SELECT run_id FROM issuance WHERE id = ANY($1))', [
    moved,
  ])
  return moved
}

/**
 * Resets rows so that they are sent as if for the first time: the baseline, the counted scans and the automatic resends
 * start over.
 */
async function startOver(sql: Sql, ids: readonly number[]): Promise<void> {
  await releaseItems(sql, ids)
  await sql.query(
    `UPDATE issuance SET first_sent_at = NULL, last_sent_at = NULL, looks = 0, controlled_looks = 0, last_look_at = NULL, resends = 0, batch_cap = 1
     WHERE id = ANY($1)`,
    [ids],
  )
}

/** Releases the report items that these issuances have claimed, and clears the fields that came from them. */
async function releaseItems(sql: Sql, ids: readonly number[]): Promise<void> {
  await sql.query('DELETE FROM report_claim WHERE issuance_id = ANY($1)', [ids])
  await sql.query(
    `UPDATE issuance SET report_status = NULL, entity_uuid = NULL, credential_id = NULL, verifier_link = NULL, issue_date = NULL, valid_till = NULL
     WHERE id = ANY($1)`,
    [ids],
  )
}

/**
 * Finds failed rows whose person has no credential and no other report item, and was not forgotten. Locks them, so that
 * no scan of the report can add one before their state changes. Must run inside a transaction.
 * @param options.onlyComplete only return rows whose recipient is known completely. For an adopted row, the report
 * shows only part of the recipient, so the row cannot be sent
 * @returns the ids of the rows
 */
async function lockRetriable(
  sql: Sql,
  selection: RowSelection,
  { onlyComplete, seen }: { onlyComplete: boolean; seen?: SeenRows | undefined },
): Promise<number[]> {
  const [condition, value, until] =
    'ids' in selection ? ['id = ANY($1)', selection.ids, null] : [ofRun('$1'), selection.run, selection.until ?? null]
  const { rows } = await sql.query<{ id: number }>(
    `SELECT id FROM issuance WHERE ${condition} AND ${isRetriable('$2')} AND ($3::timestamptz IS NULL OR ${asSeen('state_since')} <= $3)
       AND ${isAsSeen('$4', '$5')} ORDER BY id FOR UPDATE`,
    [value, onlyComplete, until, ...seenParameters(seen)],
  )
  // A second statement, because the rows may have been locked by an erasure, which the first one would not see.
  const forgotten = await forgottenOf(
    sql,
    rows.map(({ id }) => id),
  )
  return rows.flatMap(({ id }) => (forgotten.has(id) ? [] : [id]))
}
