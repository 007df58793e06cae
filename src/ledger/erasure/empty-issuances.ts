// Empties what the ledger holds of forgotten people: the data go, the rows stay, with their ids, states, dates, rules
// and names of fields. Each call takes a limited number, so that its transaction is short. Writes to the database within
// the caller's transaction.

import type { Sql } from '#src/platform/database/database.ts'
import { eachOf } from '#src/platform/database/each-of.ts'
import { endDeliveries } from '../lms/empty-learning.ts'
import { waitsForSql } from './readiness.ts'

const chunk = 500

/** What a line of the history keeps of its evidence: ids, states, dates, codes and names of fields. */
const keptEvidence = [
  ...['as', 'at', 'attempt', 'batch', 'by', 'cap', 'code', 'corrects', 'credential', 'erasure', 'fields', 'item'],
  ...['label', 'looks', 'outcome', 'requestDate', 'revocation', 'row', 'run', 'status', 'system'],
]
/** What an invalid row keeps of each problem. */
const keptOfViolation = ['row', 'column', 'letters', 'field', 'rule', 'known']

/** SQL: the JSON object `object` with only the keys of the list. */
const onlyKeys = (object: string, keys: readonly string[]) =>
  `(SELECT coalesce(jsonb_object_agg(key, value), '{}') FROM jsonb_each(${object}) WHERE key IN (${keys.map((key) => `'${key}'`).join(', ')}))`

const forgottenReason = `'forgotten on ' || to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD')`

/**
 * Empties the next issuances whose data nobody needs any more, with every row that names them.
 * @returns their ids
 */
export async function emptyIssuances(sql: Sql, erasureId: string): Promise<number[]> {
  const { rows } = await sql.query<{ id: number }>(
    `SELECT i.id FROM erased_issuance e JOIN erasure x ON x.id = e.erasure_id JOIN issuance i ON i.id = e.issuance_id
     WHERE e.erasure_id = $1 AND e.emptied_at IS NULL AND ${waitsForSql} IS NULL ORDER BY i.id LIMIT ${chunk} FOR NO KEY UPDATE OF i`,
    [erasureId],
  )
  const ids = rows.map(({ id }) => id)
  if (ids.length === 0) return []
  const each = eachOf('$1')
  await sql.query(
    `UPDATE run_row SET cells = '[]', raw = NULL, violations = NULL, image_sha256 = NULL, reason = NULL, forgotten_at = clock_timestamp(),
       change_over = change_over OR changed_fields IS NOT NULL
     WHERE issuance_id = ${each} AND forgotten_at IS NULL`,
    [ids],
  )
  await sql.query(
    `UPDATE issuance SET recipient = NULL, image_sha256 = NULL, archive_due_at = NULL, reason = ${forgottenReason},
       evidence = CASE WHEN evidence IS NOT NULL THEN ${onlyKeys('evidence', keptEvidence)} END WHERE id = ${each}`,
    [ids],
  )
  await sql.query(
    `UPDATE history SET evidence = ${onlyKeys('evidence', keptEvidence)}
     WHERE issuance_id = ${each} AND evidence <> ${onlyKeys('evidence', keptEvidence)}`,
    [ids],
  )
  await sql.query(`UPDATE revocation SET correction = NULL, why = '', words = NULL WHERE issuance_id = ${each}`, [ids])
  // What the service wrote about a batch may name anybody in it.
  await sql.query(
    `UPDATE attempt SET words = NULL WHERE words IS NOT NULL AND id IN (SELECT attempt_id FROM history WHERE issuance_id = ${each})`,
    [ids],
  )
  await endDeliveries(sql, ids)
  await sql.query(`UPDATE erased_issuance SET emptied_at = clock_timestamp() WHERE issuance_id = ${each}`, [ids])
  return ids
}

/** Empties the invalid rows of an erasure. They keep the rule and the field of each problem. @returns how many */
export async function emptyInvalidRows(sql: Sql, erasureId: string): Promise<number> {
  const { rows } = await sql.query<{ run: string; row: number }>(
    `SELECT run_id AS run, row_number AS row FROM erased_row WHERE erasure_id = $1 AND emptied_at IS NULL ORDER BY 1, 2 LIMIT ${chunk} FOR UPDATE`,
    [erasureId],
  )
  if (rows.length === 0) return 0
  const keys = [rows.map(({ run }) => run), rows.map(({ row }) => row)]
  const chosen = 'unnest($1::uuid[], $2::int[]) AS n(run, row)'
  await sql.query(
    `UPDATE run_row r SET cells = '[]', raw = NULL, image_sha256 = NULL, reason = NULL, forgotten_at = coalesce(forgotten_at, clock_timestamp()),
       violations = (SELECT jsonb_agg(${onlyKeys('v', keptOfViolation)} || '{"value": "", "sentence": ""}') FROM jsonb_array_elements(r.violations) v)
     FROM ${chosen} WHERE r.run_id = n.run AND r.row_number = n.row`,
    keys,
  )
  await sql.query(
    `UPDATE erased_row e SET emptied_at = clock_timestamp() FROM ${chosen} WHERE e.run_id = n.run AND e.row_number = n.row`,
    keys,
  )
  return rows.length
}

/**
 * The next completions to empty: those that led to no issuance whose data are still needed, for example to tell the
 * learning system of it.
 */
export async function completionsToEmpty(sql: Sql, erasureId: string): Promise<number[]> {
  const { rows } = await sql.query<{ id: number }>(
    `SELECT c.id FROM erased_completion e JOIN completion c ON c.id = e.completion_id
     LEFT JOIN run_row r ON r.run_id = c.run_id AND r.row_number = c.row_number
     WHERE e.erasure_id = $1 AND e.emptied_at IS NULL
       AND NOT EXISTS (SELECT FROM erased_issuance o WHERE o.issuance_id = r.issuance_id AND o.emptied_at IS NULL)
     ORDER BY c.id LIMIT ${chunk} FOR NO KEY UPDATE OF c`,
    [erasureId],
  )
  return rows.map(({ id }) => id)
}

export async function noteEmptiedCompletions(sql: Sql, ids: readonly number[]): Promise<void> {
  await sql.query(`UPDATE erased_completion SET emptied_at = clock_timestamp() WHERE completion_id = ${eachOf('$1')}`, [
    ids,
  ])
}
