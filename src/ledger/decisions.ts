// What a person decides: held rows, and failed ones that are to be tried again. Who and why goes into the history.

import type { Database, Sql } from '#src/database/database.ts'
import type { State } from '#src/issuance/state.ts'
import type { Correction } from './revocation.ts'

export interface HeldRow {
  id: number
  pipeline: string
  run: string
  source: string
  row: number
  since: Date
  reason: string | null
  /** The claimed item, where the row was held because of what it shows. */
  claimedItem: string | null
  reportStatus: string | null
  credentialId: string | null
  sendings: number
  looks: number
}

/** The oldest first. */
export async function heldRows(sql: Sql, environment: string): Promise<HeldRow[]> {
  const { rows } = await sql.query<HeldRow>(
    `SELECT i.id, i.pipeline, i.run_id AS run, run.source_name AS source, i.row_number AS row, i.state_since AS since, i.reason,
            c.item_key AS "claimedItem", coalesce(i.evidence->>'label', i.report_status) AS "reportStatus", coalesce(i.evidence->>'credential', i.credential_id) AS "credentialId", i.looks,
            (SELECT count(*) FROM history h WHERE h.issuance_id = i.id AND h.to_state = 'sending') AS sendings
     FROM issuance i JOIN run ON run.id = i.run_id LEFT JOIN claim c ON c.issuance_id = i.id
     WHERE i.environment = $1 AND i.state = 'held' ORDER BY i.state_since, i.id`,
    [environment],
  )
  return rows
}

export interface Decision {
  by: string
  why: string
}

/**
 * Decides held rows. `sent`: the service has the request, so the report is followed and nothing is sent; an item that it had claimed is let
 * go, and the next reading says which of those that the person knew is the row's own. `not sent`: it goes out
 * again as if for the first time: whatever the report shows by then is not its own, and an item that it had claimed is let go.
 * @returns the ids that were decided; one that is not held (any more) is left out
 */
export async function resolveHeld(
  database: Database,
  environment: string,
  ids: readonly number[],
  answer: 'sent' | 'not sent',
  decision: Decision,
): Promise<number[]> {
  return database.transaction(async (sql) => {
    const to: State = answer === 'sent' ? 'requested' : 'pending'
    const moved = await decide(sql, environment, ids, {
      from: 'held',
      to,
      event: `a person decided: ${answer}`,
      decision,
    })
    await (answer === 'sent' ? letGo(sql, moved) : startOver(sql, moved))
    return moved
  })
}

/**
 * Sends failed rows again; not one for which the report has shown a credential after all, or another item for its person, nor one that was adopted and never sent by us.
 * @param of the rows, or every failed row of a run
 */
export async function retryFailed(
  database: Database,
  environment: string,
  of: { ids: readonly number[] } | { run: string },
  decision: Decision,
): Promise<number[]> {
  return database.transaction(async (sql) =>
    sendAgain(sql, environment, await retriable(sql, of, { whole: true }), decision),
  )
}

async function sendAgain(
  sql: Sql,
  environment: string,
  ids: readonly number[],
  decision: Decision & { fields?: string },
): Promise<number[]> {
  const event = 'a person decided: send again'
  const moved = await decide(sql, environment, ids, { from: 'failed', to: 'pending', event, decision })
  await startOver(sql, moved)
  return moved
}

/**
 * Sends a failed row again with the right data. Nothing is revoked, because nobody has a credential; the person and the occasion stay, and so does its key.
 * @returns false when it is not failed (any more), or the report shows a credential after all
 */
export async function correctFailed(
  database: Database,
  environment: string,
  id: number,
  { recipient, issuanceKey, matchHashes, changedFields, imageSha256 = null }: Correction,
  decision: Decision,
): Promise<boolean> {
  return database.transaction(async (sql) => {
    const ids = await retriable(sql, { ids: [id] }, { whole: false })
    const moved = await sendAgain(sql, environment, ids, { ...decision, fields: changedFields.join(', ') })
    if (moved.length === 0) return false
    const { rowCount } = await sql.query(
      `UPDATE issuance SET recipient = $2, image_sha256 = coalesce($4, image_sha256) WHERE id = $1 AND issuance_key = $3
         AND ($4::bytea IS NULL OR EXISTS (SELECT FROM image WHERE sha256 = $4))`,
      [id, JSON.stringify(recipient), issuanceKey, imageSha256],
    )
    if (rowCount === 0)
      throw new Error(`The correction of i${id} names somebody else, or its image is gone; nothing was sent.`)
    await sql.query(
      'INSERT INTO issuance_match (hash, issuance_id) SELECT DISTINCT hash, $1::bigint FROM unnest($2::bytea[]) hash ON CONFLICT DO NOTHING',
      [id, matchHashes],
    )
    return true
  })
}

/** Where issuances stand, by id; one that there is not is left out. `part`: it was adopted, so that only a part of its data is known; `beside`: other items of the report for its person. */
export async function issuanceStates(
  sql: Sql,
  environment: string,
  ids: readonly number[],
): Promise<Map<number, { state: State; credential: boolean; part: boolean; beside: number }>> {
  const { rows } = await sql.query<{ id: number; state: State; credential: boolean; part: boolean; beside: number }>(
    'SELECT id, state, credential_id IS NOT NULL AS credential, surplus_items AS beside, adopted_as IS NOT NULL AND attempt_id IS NULL AS part FROM issuance WHERE environment = $1 AND id = ANY($2)',
    [environment, ids],
  )
  return new Map(rows.map((row) => [row.id, row]))
}

async function decide(
  sql: Sql,
  environment: string,
  ids: readonly number[],
  step: { from: State; to: State; event: string; decision: Decision & { fields?: string } },
): Promise<number[]> {
  const { rows } = await sql.query<{ id: number }>(
    `UPDATE issuance SET state = $4, event = $5, evidence = $6, reason = NULL, decided_at = clock_timestamp(), due_at = clock_timestamp()
     WHERE environment = $1 AND id = ANY($2) AND state = $3 RETURNING id`,
    [environment, ids, step.from, step.to, step.event, JSON.stringify(step.decision)],
  )
  // A run with a row that lives again has not come to rest.
  const moved = rows.map((row) => row.id)
  await sql.query('UPDATE run SET settled_at = NULL WHERE id IN (SELECT run_id FROM issuance WHERE id = ANY($1))', [
    moved,
  ])
  return moved
}

/** A new life at the service: its baseline, its looks and its one automatic re-send begin anew. */
async function startOver(sql: Sql, ids: readonly number[]): Promise<void> {
  await letGo(sql, ids)
  await sql.query(
    `UPDATE issuance SET first_sent_at = NULL, last_sent_at = NULL, looks = 0, controlled_looks = 0, last_look_at = NULL, resends = 0, batch_cap = 1
     WHERE id = ANY($1)`,
    [ids],
  )
}

/** Of the item that it had claimed, and of what that showed. */
async function letGo(sql: Sql, ids: readonly number[]): Promise<void> {
  await sql.query('DELETE FROM claim WHERE issuance_id = ANY($1)', [ids])
  await sql.query(
    `UPDATE issuance SET report_status = NULL, entity_uuid = NULL, credential_id = NULL, verifier_link = NULL, issue_date = NULL, valid_till = NULL
     WHERE id = ANY($1)`,
    [ids],
  )
}

/**
 * @param with.whole only those whose recipient is known whole: of what was adopted the report shows a part, which cannot be sent
 * @returns failed rows without a credential, and without another item for their person in the report, locked until they have moved: a reading of the report must not bring one meanwhile
 */
async function retriable(
  sql: Sql,
  of: { ids: readonly number[] } | { run: string },
  { whole }: { whole: boolean },
): Promise<number[]> {
  const [which, value] =
    'ids' in of ? ['id = ANY($1)', of.ids] : ['run_id = (SELECT id FROM run WHERE id::text = $1)', of.run]
  const { rows } = await sql.query<{ id: number }>(
    `SELECT id FROM issuance WHERE ${which} AND state = 'failed' AND credential_id IS NULL AND surplus_items = 0 AND NOT ($2 AND adopted_as IS NOT NULL AND attempt_id IS NULL) ORDER BY id FOR UPDATE`,
    [value, whole],
  )
  return rows.map((row) => row.id)
}
