// The files that show the people of an erasure: the files of their runs, which are written again without them, and
// their archived certificates. Reads and writes the database; the files are changed elsewhere.

import type { Database } from '#src/platform/database/database.ts'

export interface ErasedCertificate {
  issuanceId: number
  pipeline: string
  credentialId: string
  /** The folders that must exist before the certificate counts as removed. */
  folders: string[]
  /** The folder of the pipeline's archive now, which may not exist yet; null if it has none. */
  configured: string | null
}

/** A source file in which people of an erasure are listed. It is not ours to change. */
export interface ListedSource {
  run: string
  path: string
  /** When it was moved to its final folder in the inbox; null if it is elsewhere, or was not moved yet. */
  filedAt: Date | null
}

/** Only issuances, rows and completions that are already empty: their files can be written without them. */
const runsOfErasure = `
  SELECT r.run_id FROM erased_issuance e JOIN run_row r ON r.issuance_id = e.issuance_id AND r.changed_fields IS NULL WHERE e.erasure_id = $1 AND e.emptied_at IS NOT NULL
  UNION SELECT e.run_id FROM erased_row e WHERE e.erasure_id = $1 AND e.emptied_at IS NOT NULL
  UNION SELECT c.run_id FROM erased_completion e JOIN completion c ON c.id = e.completion_id
    WHERE e.erasure_id = $1 AND e.emptied_at IS NOT NULL AND c.run_id IS NOT NULL`

export function erasedFileStore(db: Database) {
  return {
    /** Records which runs show the people of the erasure. Called once their rows are empty. */
    listRuns: async (erasureId: string): Promise<void> => {
      await db.query(
        `INSERT INTO erased_run (erasure_id, run_id) SELECT $1, run_id FROM (${runsOfErasure}) r ON CONFLICT DO NOTHING`,
        [erasureId],
      )
    },
    /**
     * Runs whose files still have to be written again for the erasure, each with the path of one of them, if any is
     * recorded.
     */
    runsToClean: async (erasureId: string): Promise<{ run: string; file: string | null }[]> =>
      (
        await db.query<{ run: string; file: string | null }>(
          `SELECT run_id AS run, coalesce(results_path, invalid_path) AS file FROM erased_run JOIN run ON run.id = run_id
           WHERE erasure_id = $1 AND cleaned_at IS NULL ORDER BY run_id`,
          [erasureId],
        )
      ).rows,
    /**
     * What has to be done with the files of one run.
     * @returns the erasures that wait for this run: their rows are already empty, so writing its files once serves all
     */
    filesOf: async (runId: string): Promise<{ erasures: string[]; invalidRows: boolean }> => {
      const { rows } = await db.query<{ erasures: string[]; invalidRows: boolean }>(
        `SELECT ARRAY(SELECT erasure_id FROM erased_run WHERE run_id = $1 AND cleaned_at IS NULL ORDER BY erasure_id) AS erasures,
           EXISTS (SELECT FROM run_row WHERE run_id = $1 AND outcome = 'invalid' AND forgotten_at IS NOT NULL) AS "invalidRows"`,
        [runId],
      )
      return rows[0] ?? { erasures: [], invalidRows: false }
    },
    noteCleaned: async (runId: string, erasures: readonly string[]): Promise<void> => {
      await db.query(
        'UPDATE erased_run SET cleaned_at = clock_timestamp() WHERE run_id = $1 AND erasure_id = ANY($2::uuid[]) AND cleaned_at IS NULL',
        [runId, erasures],
      )
    },
    /**
     * Certificates of emptied issuances that may be in an archive. That includes certificates of which no file is
     * recorded: the process may have been killed before it was.
     */
    certificatesToRemove: async (
      erasureId: string,
      { except, limit }: { except: readonly string[]; limit: number },
    ): Promise<ErasedCertificate[]> =>
      (
        await db.query<ErasedCertificate>(
          `SELECT i.id AS "issuanceId", i.pipeline, i.credential_id AS "credentialId", f.folders,
             CASE WHEN a.watched THEN a.folder END AS configured
           FROM erased_issuance e JOIN issuance i ON i.id = e.issuance_id LEFT JOIN archived_certificate c ON c.issuance_id = i.id
           LEFT JOIN archive a ON a.environment = i.environment AND a.pipeline = i.pipeline
           CROSS JOIN LATERAL (
             SELECT ARRAY(SELECT DISTINCT folder FROM (VALUES (CASE WHEN c.file IS NOT NULL THEN c.folder END), (CASE WHEN a.watched THEN a.used_folder END)) v(folder)
                          WHERE folder IS NOT NULL ORDER BY folder) AS folders) f
           WHERE e.erasure_id = $1 AND e.emptied_at IS NOT NULL AND i.credential_id IS NOT NULL AND c.removed_at IS NULL
             AND (f.folders <> '{}' OR a.watched) AND i.pipeline <> ALL($2::text[])
           ORDER BY i.pipeline, i.id LIMIT $3`,
          [erasureId, except, limit],
        )
      ).rows,
    /**
     * The files in which the people were listed, by run, and the exact copies of these lists: once its run is read, a
     * copy is moved to `done`. They belong to those who dropped them.
     */
    sourceFiles: async (who: {
      issuances: readonly number[]
      rows: readonly { run: string; row: number }[]
      runs?: readonly string[]
    }) =>
      (
        await db.query<ListedSource>(
          `WITH listed AS (
             SELECT id, state, source_path, filed_at, received_at FROM run
             WHERE source_path NOT LIKE 'completions:%' AND (id IN (SELECT run_id FROM run_row WHERE issuance_id = ANY($1::bigint[])) OR id = ANY($2::uuid[])))
           SELECT f.run, f.path, f."filedAt" FROM (
             SELECT id AS run, source_path AS path, filed_at AS "filedAt", received_at AS at FROM listed WHERE source_path <> ''
             UNION ALL SELECT l.id, CASE WHEN l.state = 'received' THEN c.path ELSE regexp_replace(c.path, 'processing([/\\\\][^/\\\\]+)$', 'done\\1') END, l.filed_at, c.at
               FROM listed l JOIN list_copy c ON c.run_id = l.id WHERE c.path IS NOT NULL) f
           ORDER BY f.at, f.run, f.path`,
          [who.issuances, [...who.rows.map(({ run }) => run), ...(who.runs ?? [])]],
        )
      ).rows,
  }
}
