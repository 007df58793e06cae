// Manages the versions of results files: stores the written and the requested version for each run, and reads the rows
// for a file. With versions, a change that happens while a file is being written is not lost. Reads and writes the
// database; the files are written elsewhere.

import type { State } from '#src/domain/credential/state.ts'
import type { Database, Sql } from '#src/platform/database/database.ts'
import { lookUpEach } from '#src/platform/database/index-lookups.ts'

export function writeBackStore(db: Database) {
  return {
    /** Requests a new version of the results of a run. */
    async want(runId: string): Promise<void> {
      await db.query(
        `INSERT INTO write_back (run_id, target) VALUES ($1, 'results-file')
         ON CONFLICT (run_id, target) DO UPDATE SET wanted = write_back.wanted + 1, asked_at = NULL`,
        [runId],
      )
    },
    /** Returns the version to write now, or null if the results are up to date. */
    async wantedVersion(runId: string): Promise<number | null> {
      const { rows } = await db.query<{ wanted: number }>(
        `SELECT wanted FROM write_back WHERE run_id = $1 AND target = 'results-file' AND written < wanted`,
        [runId],
      )
      return rows[0]?.wanted ?? null
    },
    /** Records that a version of the results was written. */
    async noteReported(runId: string, version: number): Promise<void> {
      await db.query(
        `UPDATE write_back SET written = greatest(written, $2), written_at = clock_timestamp(), problem = NULL WHERE run_id = $1 AND target = 'results-file'`,
        [runId, version],
      )
    },
    /**
     * Passes the rows of a run to `onRows` in batches, in the order of the source, all as of one instant.
     * @param outcomes the outcomes of the rows to read
     */
    async readRows(
      runId: string,
      outcomes: readonly ResultRow['outcome'][],
      onRows: (rows: ResultRow[]) => Promise<void>,
    ): Promise<void> {
      await db.transaction(async (sql) => {
        await sql.query(
          `DECLARE results NO SCROLL CURSOR FOR
           SELECT r.row_number AS row, r.outcome, r.cells, r.raw, r.violations, CASE WHEN n.id IS NOT NULL AND r.changed_fields IS NOT NULL THEN r.reason || '; corrected since, as i' || n.id ELSE r.reason END AS "skipReason", r.changed_fields AS "changedFields", r.issuance_id AS "issuanceId", i.state,
                  CASE WHEN n.id IS NOT NULL THEN 'corrected: replaced by i' || n.id ELSE i.reason END AS reason,
                  i.credential_id AS "credentialId", i.verifier_link AS "verifierLink", i.issue_date AS "issueDate", i.valid_till AS "validTill", r.forgotten_at AS "forgottenAt"
           FROM run_row r LEFT JOIN issuance i ON i.id = r.issuance_id LEFT JOIN issuance n ON n.corrects = i.id
           WHERE r.run_id = '${uuidOnly(runId)}' AND r.outcome IN (${outcomes.map((outcome) => `'${outcome}'`).join(', ')}) ORDER BY r.row_number`,
        )
        for (;;) {
          const { rows } = await sql.query<ResultRow>('FETCH 1000 FROM results')
          if (rows.length === 0) return
          await onRows(rows)
        }
      }, 'repeatable read')
    },
  }
}

/**
 * Requests new results for runs that contain one of these issuances, if their results were ever requested. This
 * includes runs whose results are not written yet, because a file being written at this moment may miss the change.
 */
export async function requestResultsFor(sql: Sql, issuances: readonly number[]): Promise<void> {
  if (issuances.length === 0) return
  await sql.query(
    `UPDATE write_back SET wanted = wanted + 1, asked_at = NULL
     WHERE run_id = ANY(ARRAY(
       SELECT DISTINCT r.run_id FROM ${lookUpEach('$1', 'bigint', 'run_row', 'issuance_id = wanted.key')} r))`,
    [issuances],
  )
}

/** One row of a source with its outcome in the ledger. */
export interface ResultRow {
  row: number
  outcome: 'accepted' | 'skipped' | 'invalid'
  cells: string[]
  /** Workbook cell values that were not text, with the formats of numbers; null if there are none. */
  raw: readonly (readonly [column: number, value: number | boolean, format?: string])[] | null
  violations: { column: string; field: string; rule: string; sentence: string }[] | null
  /** Why the row was skipped. */
  skipReason: string | null
  /** The fields in which a skipped row differs from the known credential; null if none. */
  changedFields: string[] | null
  issuanceId: number | null
  state: State | null
  reason: string | null
  credentialId: string | null
  verifierLink: string | null
  issueDate: string | null
  validTill: string | null
  /** When the row's data were deleted because its person was forgotten; null if they were not. */
  forgottenAt: Date | null
}

/**
 * Returns the text if it has the form of a UUID. Needed because DECLARE accepts no parameters. @throws TypeError
 * otherwise
 */
function uuidOnly(text: string): string {
  if (!/^[0-9a-f-]{36}$/i.test(text)) throw new TypeError('a run id is a uuid')
  return text
}
