// Archives: records which certificates are due to be fetched into the folder of their pipeline, and the outcome of each
// attempt. Reads and writes the database only; the files are written elsewhere.

import type { Database } from '#src/platform/database/database.ts'

export interface DueCertificate {
  issuanceId: number
  credentialId: string
  /** Failed attempts so far. */
  tries: number
}

export interface ArchivedFile {
  /** Absolute path. */
  folder: string
  file: string
  /** Hex. */
  sha256: string
  /** Bytes. */
  size: number
  contentType: string
  /** ISO 8601. */
  fetchedAt: string
}

/** What the ledger has recorded about one pipeline's archive before a round of fetching. */
export interface ArchiveRecord {
  /** Folder of the certificate that was archived last; null before the first one. */
  usedFolder: string | null
  /** Number of consecutive rounds in which the whole archive failed. */
  tries: number
}

/** An archive as `status` shows it. */
export interface ArchiveStatus {
  environment: string
  pipeline: string
  folder: string
  /** Whether the archive is in the configuration of the worker that started last. */
  watched: boolean
  archived: number
  /** Issued certificates that are not archived yet, including those whose last attempt failed. */
  waiting: number
  /** Certificates whose last attempt failed. */
  troubled: number
  /** Why the whole archive is blocked; null if it is not. */
  problem: string | null
  /** The last failure of a single certificate, with its issuance. */
  example: { issuance: number; problem: string } | null
}

export interface OldCertificate {
  issuanceId: number
  folder: string
  credentialId: string
}

/** The archived certificate of an issuance, or why archiving failed if it has no file. */
export interface ShownCertificate {
  folder: string | null
  file: string | null
  sha256: string | null
  size: number | null
  contentType: string | null
  at: string | null
  tries: number
  problem: string | null
}

export type ArchiveStore = ReturnType<typeof archiveStore>

// statement_timestamp(), not clock_timestamp(): an index lookup needs a value that stays the same within a statement.
const dueForArchive = `i.state = 'issued' AND i.archive_due_at <= statement_timestamp()`

/**
 * @param environment `any` lists the archives of every environment
 * @param lostAfterMs how long a job may show no activity before it counts as lost
 */
export function archiveStore(db: Database, environment: string, lostAfterMs: number) {
  /** The environment is the first parameter, $1; the values follow it. */
  const query = async <Row extends object>(sql: string, values: unknown[] = []) =>
    (await db.query<Row>(sql, [environment, ...values])).rows
  return {
    /**
     * Called when a worker starts: replaces the known archives with those in its configuration. Archives that were
     * postponed are due again.
     */
    watch: async (archives: readonly { pipeline: string; folder: string }[]) =>
      db.transaction(async (sql) => {
        const names = archives.map(({ pipeline }) => pipeline)
        await sql.query(
          'UPDATE archive SET watched = false WHERE environment = $1 AND watched AND pipeline <> ALL($2::text[])',
          [environment, names],
        )
        await sql.query(
          `INSERT INTO archive (environment, pipeline, folder) SELECT $1, * FROM unnest($2::text[], $3::text[])
           ON CONFLICT (environment, pipeline) DO UPDATE SET folder = excluded.folder, watched = true, tries = 0, due_at = clock_timestamp()`,
          [environment, names, archives.map(({ folder }) => folder)],
        )
      }),
    /** Pipelines with certificates to fetch now. Each is returned once, and again if its job seems to be lost. */
    take: async () =>
      (
        await query<{ pipeline: string }>(
          `UPDATE archive a SET asked_at = clock_timestamp()
           WHERE a.environment = $1 AND a.watched AND a.due_at <= statement_timestamp()
             AND (a.asked_at IS NULL OR a.asked_at < clock_timestamp() - make_interval(secs => $2))
             AND EXISTS (SELECT FROM issuance i WHERE i.environment = $1 AND i.pipeline = a.pipeline AND ${dueForArchive})
           RETURNING a.pipeline`,
          [lostAfterMs / 1_000],
        )
      ).map((row) => row.pipeline),
    recordOf: async (pipeline: string): Promise<ArchiveRecord> =>
      (
        await query<ArchiveRecord>(
          'SELECT used_folder AS "usedFolder", tries FROM archive WHERE environment = $1 AND pipeline = $2',
          [pipeline],
        )
      )[0] ?? { usedFolder: null, tries: 0 },
    /** The next certificates to fetch. */
    due: (pipeline: string, limit: number) =>
      query<DueCertificate>(
        `SELECT i.id AS "issuanceId", i.credential_id AS "credentialId", coalesce(c.tries, 0) AS tries
         FROM issuance i LEFT JOIN archived_certificate c ON c.issuance_id = i.id
         WHERE i.environment = $1 AND i.pipeline = $2 AND ${dueForArchive} ORDER BY i.archive_due_at, i.id LIMIT $3`,
        [pipeline, limit],
      ),
    /** Records that the file is on disk. Each certificate is counted once, however often this is called for it. */
    noteKept: async (pipeline: string, ids: readonly number[], archivedFile: ArchivedFile) =>
      void (await query(
        `WITH kept AS (
           UPDATE issuance SET archive_due_at = NULL WHERE environment = $1 AND id = ANY($3) AND archive_due_at IS NOT NULL RETURNING id),
         noted AS (
           INSERT INTO archived_certificate AS c (issuance_id, folder, file, sha256, size, content_type, kept_at) SELECT id, $4, $5, $6, $7, $8, $9 FROM kept
           ON CONFLICT (issuance_id) DO UPDATE SET folder = excluded.folder, file = excluded.file, sha256 = excluded.sha256, size = excluded.size,
             content_type = excluded.content_type, kept_at = excluded.kept_at, problem = NULL)
         UPDATE archive SET kept = archive.kept + (SELECT count(*) FROM kept), used_folder = $4 WHERE environment = $1 AND pipeline = $2`,
        [
          pipeline,
          ids,
          archivedFile.folder,
          archivedFile.file,
          archivedFile.sha256,
          archivedFile.size,
          archivedFile.contentType,
          archivedFile.fetchedAt,
        ],
      )),
    /** Records that these certificates could not be fetched; they are retried after `waitMs`. */
    noteFailure: async (ids: readonly number[], problem: string, waitMs: number) =>
      void (await query(
        `WITH later AS (
           UPDATE issuance SET archive_due_at = clock_timestamp() + make_interval(secs => $4)
           WHERE environment = $1 AND id = ANY($2) AND archive_due_at IS NOT NULL RETURNING id)
         INSERT INTO archived_certificate AS c (issuance_id, tries, problem, tried_at) SELECT id, 1, $3, clock_timestamp() FROM later
         ON CONFLICT (issuance_id) DO UPDATE SET tries = c.tries + 1, problem = excluded.problem, tried_at = excluded.tried_at`,
        [ids, problem, waitMs / 1_000],
      )),
    /**
     * Records that the whole archive is blocked; it is retried after `waitMs`.
     * @returns whether this problem is new
     */
    postpone: async (pipeline: string, problem: string, waitMs: number): Promise<boolean> =>
      (
        await query<{ before: string | null }>(
          `UPDATE archive a SET problem = $3, tries = a.tries + 1, due_at = clock_timestamp() + make_interval(secs => $4), asked_at = NULL
           FROM (SELECT environment, pipeline, problem AS before FROM archive WHERE environment = $1 AND pipeline = $2 FOR UPDATE) was
           WHERE a.environment = was.environment AND a.pipeline = was.pipeline RETURNING was.before`,
          [pipeline, problem, waitMs / 1_000],
        )
      ).some(({ before }) => before !== problem),
    /**
     * Records that everything due has been tried. Clears the enqueue time, so that the next round can be queued
     * immediately.
     */
    noteFinished: async (pipeline: string) =>
      void (await query(
        'UPDATE archive SET asked_at = NULL, problem = NULL, tries = 0 WHERE environment = $1 AND pipeline = $2',
        [pipeline],
      )),
    /** Certificates of a pipeline that were archived at least `days` ago, the oldest first. */
    old: async (pipeline: string, days: number, limit: number): Promise<OldCertificate[]> =>
      (
        await db.query<OldCertificate>(
          `SELECT c.issuance_id AS "issuanceId", c.folder, i.credential_id AS "credentialId"
           FROM archived_certificate c JOIN issuance i ON i.id = c.issuance_id
           WHERE i.environment = $1 AND i.pipeline = $2 AND c.file IS NOT NULL AND c.removed_at IS NULL AND i.credential_id IS NOT NULL
             AND c.kept_at < clock_timestamp() - make_interval(days => $3)
           ORDER BY c.kept_at LIMIT $4`,
          [environment, pipeline, days, limit],
        )
      ).rows,
    /** Records that there is no file of these certificates any more. */
    noteRemoved: async (issuances: readonly number[]): Promise<void> => {
      await db.query(
        `INSERT INTO archived_certificate AS c (issuance_id, removed_at) SELECT id, clock_timestamp() FROM unnest($1::bigint[]) id
         ON CONFLICT (issuance_id) DO UPDATE SET removed_at = excluded.removed_at WHERE c.removed_at IS NULL`,
        [issuances],
      )
    },
    statuses: () => query<ArchiveStatus>(statusesSql),
    /** The certificates of these issuances, whatever their environment; those that were never tried are left out. */
    ofIssuances: async (issuances: readonly number[]): Promise<ReadonlyMap<number, ShownCertificate>> => {
      const { rows } = await db.query<{ id: number; archived: ShownCertificate }>(
        `SELECT c.issuance_id AS id, json_build_object('folder', c.folder, 'file', c.file, 'sha256', c.sha256, 'size', c.size,
                  'contentType', c.content_type, 'at', c.kept_at, 'tries', c.tries, 'problem', c.problem) AS archived
         FROM archived_certificate c WHERE c.issuance_id = ANY($1)`,
        [issuances],
      )
      return new Map(rows.map(({ id, archived }) => [id, archived]))
    },
  }
}

const statusesSql = `
  SELECT a.environment, a.pipeline, a.folder, a.watched, a.kept AS archived, a.problem,
    (SELECT count(*) FROM issuance i WHERE i.environment = a.environment AND i.pipeline = a.pipeline AND i.state = 'issued' AND i.archive_due_at IS NOT NULL) AS waiting,
    coalesce(t.troubled, 0) AS troubled, t.example
  FROM archive a LEFT JOIN (
    SELECT i.environment, i.pipeline, count(*) AS troubled,
      (array_agg(json_build_object('issuance', i.id, 'problem', c.problem) ORDER BY c.tried_at DESC))[1] AS example
    FROM archived_certificate c JOIN issuance i ON i.id = c.issuance_id
    WHERE c.file IS NULL AND i.state = 'issued' GROUP BY i.environment, i.pipeline) t ON t.environment = a.environment AND t.pipeline = a.pipeline
  WHERE $1 IN (a.environment, 'any') ORDER BY a.environment, a.pipeline`
