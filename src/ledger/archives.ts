// The verbs about archives: which certificates are to be fetched into the folder of their pipeline, and what became of each.

import type { Database } from '#src/database/database.ts'

export interface DueCertificate {
  issuanceId: number
  credentialId: string
  /** How often it was tried in vain. */
  tries: number
}

export interface ArchivedFile {
  /** Absolute. */
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

/** What the ledger knows of one pipeline's archive before a round. */
export interface ArchiveMemory {
  /** Where the last certificate was kept; null before the first. */
  usedFolder: string | null
  /** How often in a row the whole of it came to nothing. */
  tries: number
}

/** An archive as `status` tells of it. */
export interface ArchiveStanding {
  environment: string
  pipeline: string
  folder: string
  /** Whether the worker that began last had it in its configuration. */
  watched: boolean
  archived: number
  /** Issued and not archived; those in trouble are among them. */
  waiting: number
  troubled: number
  /** What keeps all of it from going on; else the last trouble of one, with its issuance. */
  problem: string | null
  example: { issuance: number; problem: string } | null
}

export type ArchiveVerbs = ReturnType<typeof archiveVerbs>

// statement_timestamp() and not clock_timestamp(): only what stays the same within a statement can be looked up in an index.
const toArchive = `i.state = 'issued' AND i.archive_due_at <= statement_timestamp()`

/** The verbs of one environment; `any` lists the archives of all. */
export function archiveVerbs(db: Database, environment: string, lostAfterMs: number) {
  const query = async <Row extends object>(sql: string, values: unknown[] = []) =>
    (await db.query<Row>(sql, [environment, ...values])).rows
  return {
    /** At the start of a worker: the archives of its configuration, and no others. What was put off is due again. */
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
    /** Pipelines with certificates to fetch now, each once and again when its job seems lost. */
    take: async () =>
      (
        await query<{ pipeline: string }>(
          `UPDATE archive a SET asked_at = clock_timestamp()
           WHERE a.environment = $1 AND a.watched AND a.due_at <= statement_timestamp()
             AND (a.asked_at IS NULL OR a.asked_at < clock_timestamp() - make_interval(secs => $2))
             AND EXISTS (SELECT FROM issuance i WHERE i.environment = $1 AND i.pipeline = a.pipeline AND ${toArchive})
           RETURNING a.pipeline`,
          [lostAfterMs / 1_000],
        )
      ).map((row) => row.pipeline),
    memoryOf: async (pipeline: string): Promise<ArchiveMemory> =>
      (
        await query<ArchiveMemory>(
          'SELECT used_folder AS "usedFolder", tries FROM archive WHERE environment = $1 AND pipeline = $2',
          [pipeline],
        )
      )[0] ?? { usedFolder: null, tries: 0 },
    /** The next to be fetched, at most `most`. */
    due: (pipeline: string, most: number) =>
      query<DueCertificate>(
        `SELECT i.id AS "issuanceId", i.credential_id AS "credentialId", coalesce(c.tries, 0) AS tries
         FROM issuance i LEFT JOIN archived_certificate c ON c.issuance_id = i.id
         WHERE i.environment = $1 AND i.pipeline = $2 AND ${toArchive} ORDER BY i.archive_due_at, i.id LIMIT $3`,
        [pipeline, most],
      ),
    /** The file is on the disk. Counted once, whoever says it again. */
    noteKept: async (pipeline: string, ids: readonly number[], kept: ArchivedFile) =>
      void (await query(
        `WITH kept AS (
           UPDATE issuance SET archive_due_at = NULL WHERE environment = $1 AND id = ANY($3) AND archive_due_at IS NOT NULL RETURNING id),
         noted AS (
           INSERT INTO archived_certificate AS c (issuance_id, folder, file, sha256, size, content_type, kept_at) SELECT id, $4, $5, $6, $7, $8, $9 FROM kept
           ON CONFLICT (issuance_id) DO UPDATE SET folder = excluded.folder, file = excluded.file, sha256 = excluded.sha256, size = excluded.size,
             content_type = excluded.content_type, kept_at = excluded.kept_at, problem = NULL)
         UPDATE archive SET kept = archive.kept + (SELECT count(*) FROM kept), used_folder = $4 WHERE environment = $1 AND pipeline = $2`,
        [pipeline, ids, kept.folder, kept.file, kept.sha256, kept.size, kept.contentType, kept.fetchedAt],
      )),
    /** These could not be fetched; they are tried again after `waitMs`. */
    noteTrouble: async (ids: readonly number[], problem: string, waitMs: number) =>
      void (await query(
        `WITH later AS (
           UPDATE issuance SET archive_due_at = clock_timestamp() + make_interval(secs => $4)
           WHERE environment = $1 AND id = ANY($2) AND archive_due_at IS NOT NULL RETURNING id)
         INSERT INTO archived_certificate AS c (issuance_id, tries, problem, tried_at) SELECT id, 1, $3, clock_timestamp() FROM later
         ON CONFLICT (issuance_id) DO UPDATE SET tries = c.tries + 1, problem = excluded.problem, tried_at = excluded.tried_at`,
        [ids, problem, waitMs / 1_000],
      )),
    /** Nothing of it can go on; it is tried again after `waitMs`. @returns whether that is news */
    putOff: async (pipeline: string, problem: string, waitMs: number): Promise<boolean> =>
      (
        await query<{ before: string | null }>(
          `UPDATE archive a SET problem = $3, tries = a.tries + 1, due_at = clock_timestamp() + make_interval(secs => $4), asked_at = NULL
           FROM (SELECT environment, pipeline, problem AS before FROM archive WHERE environment = $1 AND pipeline = $2 FOR UPDATE) was
           WHERE a.environment = was.environment AND a.pipeline = was.pipeline RETURNING was.before`,
          [pipeline, problem, waitMs / 1_000],
        )
      ).some(({ before }) => before !== problem),
    /** All that was due was tried. Takes the stamp of asking away, so that the next round can be asked for at once. */
    noteTended: async (pipeline: string) =>
      void (await query(
        'UPDATE archive SET asked_at = NULL, problem = NULL, tries = 0 WHERE environment = $1 AND pipeline = $2',
        [pipeline],
      )),
    standings: () => query<ArchiveStanding>(standingsSql),
  }
}

const standingsSql = `
  SELECT a.environment, a.pipeline, a.folder, a.watched, a.kept AS archived, a.problem,
    (SELECT count(*) FROM issuance i WHERE i.environment = a.environment AND i.pipeline = a.pipeline AND i.state = 'issued' AND i.archive_due_at IS NOT NULL) AS waiting,
    coalesce(t.troubled, 0) AS troubled, t.example
  FROM archive a LEFT JOIN (
    SELECT i.environment, i.pipeline, count(*) AS troubled,
      (array_agg(json_build_object('issuance', i.id, 'problem', c.problem) ORDER BY c.tried_at DESC))[1] AS example
    FROM archived_certificate c JOIN issuance i ON i.id = c.issuance_id
    WHERE c.file IS NULL AND i.state = 'issued' GROUP BY i.environment, i.pipeline) t ON t.environment = a.environment AND t.pipeline = a.pipeline
  WHERE $1 IN (a.environment, 'any') ORDER BY a.environment, a.pipeline`
