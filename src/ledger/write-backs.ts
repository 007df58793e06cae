// What a source was told, and what it should be told. A version each: news that comes while a file is being written is not lost.

import type { Database, Sql } from '#src/database/database.ts'
import type { State } from '#src/issuance/state.ts'

export async function wantResults(sql: Sql, runId: string): Promise<void> {
  await sql.query(
    `INSERT INTO write_back (run_id, target) VALUES ($1, 'results-file')
     ON CONFLICT (run_id, target) DO UPDATE SET wanted = write_back.wanted + 1, asked_at = NULL`,
    [runId],
  )
}

/** The version to be told now, or null when the source knows everything. */
export async function wantedVersion(sql: Sql, runId: string): Promise<number | null> {
  const { rows } = await sql.query<{ wanted: number }>(
    `SELECT wanted FROM write_back WHERE run_id = $1 AND target = 'results-file' AND told < wanted`,
    [runId],
  )
  return rows[0]?.wanted ?? null
}

export async function noteTold(sql: Sql, runId: string, version: number): Promise<void> {
  await sql.query(
    `UPDATE write_back SET told = greatest(told, $2), told_at = clock_timestamp(), problem = NULL WHERE run_id = $1 AND target = 'results-file'`,
    [runId, version],
  )
}

/**
 * Runs that hold one of these issuances and whose results were wanted before: they have news. Also where nothing was told yet: the
 * file may be half written, from a picture that is older than the news.
 */
export async function wantResultsOf(sql: Sql, issuances: readonly number[]): Promise<void> {
  await sql.query(
    `UPDATE write_back SET wanted = wanted + 1, asked_at = NULL
     WHERE run_id IN (SELECT run_id FROM run_row WHERE issuance_id = ANY($1))`,
    [issuances],
  )
}

/** One row of a source as it stands in the ledger. */
export interface ResultRow {
  row: number
  outcome: 'accepted' | 'skipped' | 'invalid'
  cells: string[]
  violations: { column: string; letters?: string; field: string; rule: string; sentence: string }[] | null
  /** Why the row was skipped. */
  skipReason: string | null
  /** The fields that a skipped row fills otherwise than the known credential; null when none. */
  changedFields: string[] | null
  issuanceId: number | null
  state: State | null
  reason: string | null
  credentialId: string | null
  verifierLink: string | null
  issueDate: string | null
  validTill: string | null
}

/**
 * The rows of a run in the order of the source, in batches, all as of one instant.
 * @param only the outcomes wanted
 */
export async function readResultRows(
  database: Database,
  runId: string,
  only: readonly ResultRow['outcome'][],
  take: (rows: ResultRow[]) => Promise<void>,
): Promise<void> {
  await database.transaction(async (sql) => {
    await sql.query(
      `DECLARE results NO SCROLL CURSOR FOR
       SELECT r.row_number AS row, r.outcome, r.cells, r.violations, CASE WHEN n.id IS NOT NULL AND r.changed_fields IS NOT NULL THEN r.reason || '; corrected since, as i' || n.id ELSE r.reason END AS "skipReason", r.changed_fields AS "changedFields", r.issuance_id AS "issuanceId", i.state,
              CASE WHEN n.id IS NOT NULL THEN 'corrected: i' || n.id || ' takes its place' ELSE i.reason END AS reason,
              i.credential_id AS "credentialId", i.verifier_link AS "verifierLink", i.issue_date AS "issueDate", i.valid_till AS "validTill"
       FROM run_row r LEFT JOIN issuance i ON i.id = r.issuance_id LEFT JOIN issuance n ON n.corrects = i.id
       WHERE r.run_id = '${uuidOnly(runId)}' AND r.outcome IN (${only.map((outcome) => `'${outcome}'`).join(', ')}) ORDER BY r.row_number`,
    )
    for (;;) {
      const { rows } = await sql.query<ResultRow>('FETCH 1000 FROM results')
      if (rows.length === 0) return
      await take(rows)
    }
  }, 'repeatable read')
}

/** DECLARE takes no parameters. */
function uuidOnly(text: string): string {
  if (!/^[0-9a-f-]{36}$/i.test(text)) throw new TypeError('a run id is a uuid')
  return text
}
