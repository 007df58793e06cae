// Rows that take an item of the report for their own instead of being sent (again): those that wait, and those that failed.

import { bytesArray } from '#src/database/binary-array.ts'
import type { Sql } from '#src/database/database.ts'
import { roadTo } from '#src/issuance/lifecycle.ts'
import type { State } from '#src/issuance/state.ts'
import { type AdoptedItem, claim, event, evidenceOf } from './adopt-items.ts'
import { AdoptionOvertakenError } from './adoption-overtaken-error.ts'
import { dropAttemptsWithout } from './attempts.ts'
import { moveIssuances, noteShown } from './report.ts'
import { wantResultsOf } from './write-backs.ts'

/**
 * Rows that wait and were never sent take the item that the report has for their person: they do not go out. Rows that failed without a
 * credential take it too: somebody else has issued the person since, and whoever sent them again would issue a second one.
 * @throws AdoptionOvertakenError when one of them does not wait any more, or its item is somebody's
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
     CROSS JOIN LATERAL (SELECT least(clock_timestamp(), coalesce(n.day::timestamp AT TIME ZONE 'UTC', clock_timestamp())) AS at) asked
     WHERE i.environment = $1 AND i.course_uuid = $2 AND i.issuance_key = n.issuance_key
       AND (i.state = 'pending' AND i.first_sent_at IS NULL AND i.decided_at IS NULL OR i.state = 'failed' AND i.credential_id IS NULL)
     RETURNING i.id, n.at::int AS at, i.state`,
    [environment, course, bytesArray(items.map((each) => each.issuanceKey)), items.map((each) => each.requestDate)],
  )
  if (rows.length < items.length) throw new AdoptionOvertakenError()
  const placed = rows.map(({ id, at, state }) => ({ id, state, item: items[at - 1] as AdoptedItem }))
  const failed = placed.filter(({ state }) => state === 'failed')
  if (failed.length > 0) await makeFree(sql, environment, failed)
  await claim(sql, environment, placed)
  const moves = placed.flatMap(movesOf)
  const moved = [...(await moveIssuances(sql, moves))]
  await dropAttemptsWithout(sql, moved)
  await noteShown(sql, moved)
  await wantResultsOf(sql, moved)
}

/** The item by which a row failed is no second credential, and the one that it takes is not beside it any more. */
async function makeFree(
  sql: Sql,
  environment: string,
  failed: readonly { id: number; item: AdoptedItem }[],
): Promise<void> {
  const ids = failed.map(({ id }) => id)
  await sql.query(
    `WITH free AS (DELETE FROM claim WHERE environment = $1 AND issuance_id = ANY($2) RETURNING item_key, issuance_id)
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
  // A run with a row that lives again has not come to rest.
  await sql.query('UPDATE run SET settled_at = NULL WHERE id IN (SELECT run_id FROM issuance WHERE id = ANY($1))', [
    ids,
  ])
}

function movesOf({ id, state, item }: { id: number; state: 'pending' | 'failed'; item: AdoptedItem }) {
  const begin: State[] = state === 'failed' ? ['pending', 'unconfirmed'] : ['unconfirmed']
  const road: State[] = [...begin, ...(roadTo('unconfirmed', item.state) ?? [])]
  return road.map((to, index) => ({
    id,
    from: road[index - 1] ?? state,
    to,
    event,
    reason: null,
    evidence: evidenceOf(item),
    fields: item.fields,
  }))
}
