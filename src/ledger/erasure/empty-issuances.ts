// Empties what the ledger holds of forgotten people: the data go, the rows stay, with their ids, states, dates, rules
// and names of fields. Each call takes a limited number, so that its transaction is short. Writes to the database within
// the caller's transaction.

import type { Hasher } from '#src/domain/credential/identity-hasher.ts'
import type { Sql } from '#src/platform/database/database.ts'
import { eachOf } from '#src/platform/database/each-of.ts'
import { endDeliveries } from '../lms/empty-learning.ts'
import { emptyWordsOfBatches } from './empty-mentions.ts'
import { keptOfEvidence, keptOfViolations } from './kept-evidence.ts'
import { waitsForSql } from './readiness.ts'
import { rowsOfOthers } from './rows-of-others.ts'

const chunk = 500

/** SQL: the issuances of erasure $1 that wait for nothing. As an array, because the planner would rather read them all. */
const issuancesToEmpty = `FROM erasure x JOIN issuance i ON i.id = ANY(ARRAY(
    SELECT issuance_id FROM erased_issuance WHERE erasure_id = $1 AND emptied_at IS NULL))
  WHERE x.id = $1 AND ${waitsForSql} IS NULL`

const forgottenReason = `'forgotten on ' || to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD')`

/**
 * Empties the next issuances whose data nobody needs any more, with their rows. A row with another name may be somebody
 * else's and keeps its data; only its difference is over, because nothing will be corrected any more.
 * @returns their ids
 */
export async function emptyIssuances(sql: Sql, erasureId: string, hasher: Hasher): Promise<number[]> {
  const { rows } = await sql.query<{ id: number; kind: 'request' | 'retention' }>(
    `SELECT i.id, x.kind ${issuancesToEmpty} ORDER BY i.id LIMIT ${chunk} FOR NO KEY UPDATE OF i`,
    [erasureId],
  )
  const ids = rows.map(({ id }) => id)
  if (ids.length === 0) return []
  const each = eachOf('$1')
  const isRequested = rows[0]?.kind === 'request'
  await emptyWordsOfBatches(sql, ids)
  const others = await rowsOfOthers(sql, hasher, ids)
  const isOther = '(run_id, row_number) IN (SELECT * FROM unnest($2::uuid[], $3::int[]))'
  await sql.query(
    `UPDATE run_row SET cells = '[]', raw = NULL, violations = NULL, image_sha256 = NULL, reason = NULL, forgotten_at = CASE WHEN $4 THEN clock_timestamp() END,
       change_over = change_over OR changed_fields IS NOT NULL
     WHERE issuance_id = ${each} AND forgotten_at IS NULL AND NOT ${isOther}`,
    [ids, others.runs, others.rows, isRequested],
  )
  await sql.query(
    'UPDATE run_row SET change_over = true WHERE (run_id, row_number) IN (SELECT * FROM unnest($1::uuid[], $2::int[]))',
    [others.runs, others.rows],
  )
  await sql.query(
    `UPDATE issuance SET recipient = NULL, image_sha256 = NULL, archive_due_at = NULL, reason = CASE WHEN $2 THEN ${forgottenReason} END,
       evidence = CASE WHEN evidence IS NOT NULL THEN ${keptOfEvidence('evidence')} END WHERE id = ${each}`,
    [ids, isRequested],
  )
  await sql.query(
    `UPDATE history SET evidence = ${keptOfEvidence('evidence')}
     WHERE issuance_id = ${each} AND evidence <> ${keptOfEvidence('evidence')}`,
    [ids],
  )
  await sql.query(`UPDATE revocation SET correction = NULL, why = '', words = NULL WHERE issuance_id = ${each}`, [ids])
  await sql.query(
    `UPDATE archived_certificate SET problem = NULL WHERE issuance_id = ${each} AND problem IS NOT NULL`,
    [ids],
  )
  await endDeliveries(sql, ids)
  await sql.query(`UPDATE erased_issuance SET emptied_at = clock_timestamp() WHERE issuance_id = ${each}`, [ids])
  return ids
}

/** Empties the rows of an erasure that are not those of its issuances. They keep the rule and the field of each problem. @returns how many */
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
       violations = ${keptOfViolations('r.violations')}, change_over = r.change_over OR r.changed_fields IS NOT NULL
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
 * learning system of it, and that are in no list which is not read yet.
 */
export async function completionsToEmpty(sql: Sql, erasureId: string): Promise<number[]> {
  const { rows } = await sql.query<{ id: number }>(
    `SELECT c.id FROM erased_completion e JOIN completion c ON c.id = e.completion_id
     LEFT JOIN run_row r ON r.run_id = c.run_id AND r.row_number = c.row_number
     WHERE e.erasure_id = $1 AND e.emptied_at IS NULL
       AND NOT EXISTS (SELECT FROM erased_issuance o WHERE o.issuance_id = r.issuance_id AND o.emptied_at IS NULL)
       AND (SELECT run.state FROM run WHERE run.id = c.run_id) IS DISTINCT FROM 'received'
     ORDER BY c.id LIMIT ${chunk}`,
    [erasureId],
  )
  return rows.map(({ id }) => id)
}

/** Whether something of an erasure waits for nothing. */
export async function isAnythingToEmpty(sql: Sql, erasureId: string): Promise<boolean> {
  const { rowCount } = await sql.query(
    `SELECT 1 ${issuancesToEmpty}
     UNION ALL SELECT 1 FROM erased_row WHERE erasure_id = $1 AND emptied_at IS NULL LIMIT 1`,
    [erasureId],
  )
  return rowCount > 0 || (await completionsToEmpty(sql, erasureId)).length > 0
}

export async function noteEmptiedCompletions(sql: Sql, ids: readonly number[]): Promise<void> {
  await sql.query(`UPDATE erased_completion SET emptied_at = clock_timestamp() WHERE completion_id = ${eachOf('$1')}`, [
    ids,
  ])
}
