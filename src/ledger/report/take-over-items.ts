// Assigns report items to pending and failed rows of the same person, so that these rows are not sent (again). Writes
// to the database within the caller's transaction.

import { stepsTo } from '#src/domain/credential/lifecycle.ts'
import type { State } from '#src/domain/credential/state.ts'
import { bytesArray } from '#src/platform/database/binary-array.ts'
import type { Sql } from '#src/platform/database/database.ts'
import { dropUnsendableAttempts } from '../attempts/attempts.ts'
import { requestResultsFor } from '../runs/write-backs.ts'
import { type AdoptedItem, AdoptionOvertakenError, adoptedEvent, claimAdoptedItems, evidenceOf } from './adopt-items.ts'
import { moveIssuances } from './move-issuances.ts'
import { noteShown } from './report-items.ts'

/**
 * Assigns items to the rows of their persons. Pending rows that were never sent take over the report's item, and are
 * then not sent. Rows that failed without a credential do so as well: the person has since received a credential by
 * other means, so sending the row again would issue a second one.
 * @throws AdoptionOvertakenError if a row is no longer pending or failed, or if its item has been claimed
 */
export async function takeOver(
  sql: Sql,
  environment: string,
  course: string,
  items: readonly AdoptedItem[],
): Promise<void> {
  if (items.length === 0) return
  const { rows } = await sql.query<{ id: number; at: number; state: 'pending' | 'failed' }>(
    `UPDATE issuance i SET first_sent_at = asked.at, last_sent_at = asked.at
     FROM unnest($3::bytea[], $4::date[]) WITH ORDINALITY n(issuance_key, day, at)
     CROSS JOIN LATERAL (SELECT least(clock_timestamp(), n.day::timestamp AT TIME ZONE 'UTC') AS at) asked
     WHERE i.environment = $1 AND i.course_uuid = $2 AND i.issuance_key = n.issuance_key
       AND (i.state = 'pending' AND i.first_sent_at IS NULL AND i.decided_at IS NULL OR i.state = 'failed' AND i.credential_id IS NULL)
     RETURNING i.id, n.at::int AS at, i.state`,
    [environment, course, bytesArray(items.map((item) => item.issuanceKey)), items.map((item) => item.requestDate)],
  )
  if (rows.length < items.length) throw new AdoptionOvertakenError()
  const takenOver = rows.map(({ id, at, state }) => ({ id, state, item: items[at - 1] as AdoptedItem }))
  const failed = takenOver.filter(({ state }) => state === 'failed')
  if (failed.length > 0) await releaseFailedItems(sql, environment, failed)
  await claimAdoptedItems(sql, environment, takenOver)
  const moves = takenOver.flatMap(movesOf)
  const moved = [...(await moveIssuances(sql, moves))]
  await dropUnsendableAttempts(sql, moved)
  await noteShown(sql, moved)
  await requestResultsFor(sql, moved)
}

/**
 * Releases the item that a failed row had claimed, and removes the new item from the row's surplus. The released item
 * is recorded but not counted as surplus.
 */
async function releaseFailedItems(
  sql: Sql,
  environment: string,
  failed: readonly { id: number; item: AdoptedItem }[],
): Promise<void> {
  const ids = failed.map(({ id }) => id)
  await sql.query(
    `WITH free AS (DELETE FROM report_claim WHERE issuance_id = ANY($2) RETURNING item_key, issuance_id)
     INSERT INTO surplus_item (environment, item_key, issuance_id) SELECT $1, item_key, issuance_id FROM free ON CONFLICT DO NOTHING`,
    [environment, ids],
  )
  await sql.query(
    'DELETE FROM surplus_item WHERE environment = $1 AND issuance_id = ANY($2) AND item_key = ANY($3::text[])',
    [environment, ids, failed.flatMap(({ item }) => [item.key, item.fingerprint])],
  )
  await sql.query(
    'UPDATE issuance SET report_status = NULL, entity_uuid = NULL, verifier_link = NULL, issue_date = NULL, valid_till = NULL WHERE id = ANY($1)',
    [ids],
  )
  // A run with an open row is no longer settled.
  await sql.query('UPDATE run SET settled_at = NULL WHERE id IN (SELECT run_id FROM issuance WHERE id = ANY($1))', [
    ids,
  ])
}

function movesOf({ id, state, item }: { id: number; state: 'pending' | 'failed'; item: AdoptedItem }) {
  const first: State[] = state === 'failed' ? ['pending', 'unconfirmed'] : ['unconfirmed']
  const path: State[] = [...first, ...(stepsTo('unconfirmed', item.state) ?? [])]
  return path.map((to, index) => ({
    id,
    from: path[index - 1] ?? state,
    to,
    event: adoptedEvent,
    reason: null,
    evidence: evidenceOf(item),
    fields: item.fields,
  }))
}
