// From a source to ledger rows, in two steps: rows are staged while the source is read, and published all at once when it ended well.

import type { Database, Sql } from '#src/database/database.ts'
import type { BrakeLimits } from '#src/issuance/brake.ts'
import { brakeRun } from './brake.ts'
import { changedFields, differing } from './changed-fields.ts'
import { compareWithLastList } from './last-list.ts'

export interface StagedRow {
  row: number
  cells: readonly string[]
  /** Null for a row that is in order. */
  violations: readonly object[] | null
  recipient: Readonly<Record<string, string>> | null
  issuanceKey: Buffer | null
  identityHash: Buffer | null
  matchHashes: readonly Buffer[] | null
  /** The name, in its source, of the image that travels with the recipient. */
  image?: string | null
}

export interface Publication {
  courseUuid: string
  format: string
  header: readonly string[]
  notices: readonly string[]
  /** Display names of the fields for a person's names; those of the service's own list when left out. */
  nameFields?: readonly string[] | undefined
  /** What holds a run that is too large. One that a person has approved is published whatever its size. */
  brake?: BrakeLimits | undefined
}

/** A reading that died halfway left its rows behind; the next one starts from the first row. */
export async function clearStaged(sql: Sql, runId: string): Promise<void> {
  await sql.query('DELETE FROM staged_row WHERE run_id = $1', [runId])
  await sql.query('UPDATE run SET read_rows = 0 WHERE id = $1', [runId])
}

/** @param hashes SHA-256 of the images that the rows name, which are stored already */
export async function stageRows(
  sql: Sql,
  runId: string,
  rows: readonly StagedRow[],
  hashes: ReadonlyMap<string, Buffer> = new Map(),
): Promise<void> {
  const text = (value: unknown) => (value === null ? null : JSON.stringify(value))
  await sql.query(
    `INSERT INTO staged_row (run_id, row_number, cells, violations, recipient, issuance_key, identity_hash, match_hashes, image_sha256)
     SELECT $1, r.row_number, r.cells, r.violations, r.recipient, r.issuance_key, r.identity_hash,
            CASE WHEN r.match_one IS NULL THEN NULL WHEN r.match_two IS NULL THEN ARRAY[r.match_one] ELSE ARRAY[r.match_one, r.match_two] END, r.image_sha256
     FROM unnest($2::int[], $3::jsonb[], $4::jsonb[], $5::jsonb[], $6::bytea[], $7::bytea[], $8::bytea[], $9::bytea[], $10::bytea[])
       AS r(row_number, cells, violations, recipient, issuance_key, identity_hash, match_one, match_two, image_sha256)`,
    [
      runId,
      rows.map((each) => each.row),
      rows.map((each) => text(each.cells)),
      rows.map((each) => text(each.violations)),
      rows.map((each) => text(each.recipient)),
      rows.map((each) => each.issuanceKey),
      rows.map((each) => each.identityHash),
      rows.map((each) => each.matchHashes?.[0] ?? null),
      rows.map((each) => each.matchHashes?.[1] ?? null),
      rows.map(({ image }) => (image ? (hashes.get(image) ?? null) : null)),
    ],
  )
  await sql.query('UPDATE run SET read_rows = read_rows + $2 WHERE id = $1', [runId, rows.length])
}

/**
 * Publishes the staged rows of a run in one transaction: rows, invalid, skipped, accepted and the issuances appear together.
 * A row whose credential the ledger already knows, from this file or any other, is skipped and says where it is known from, and which fields it
 * fills otherwise. A run that the brake holds keeps none of it.
 * @returns false when the run was published already, or is braked
 * @throws when fewer rows are staged than were read
 */
export async function publishRun(
  database: Database,
  runId: string,
  publication: Publication,
  rowsRead: number,
): Promise<boolean> {
  const published = await database.transaction(async (sql) => {
    // A million rows take longer than any other statement may.
    await sql.query('SET LOCAL statement_timeout = 0')
    await sql.query('SET LOCAL lock_timeout = 0')
    // One at a time for a course: two files that name the same people in another order would each wait for the other's rows.
    await sql.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
      `credsync:publish:${publication.courseUuid}`,
    ])
    const { rows: runs } = await sql.query<{ state: string; approved: boolean }>(
      'SELECT state, approved_at IS NOT NULL AS approved FROM run WHERE id = $1 FOR UPDATE',
      [runId],
    )
    if (runs[0]?.state !== 'received') return false
    const { rows: staged } = await sql.query<{ count: number }>(
      'SELECT count(*) AS count FROM staged_row WHERE run_id = $1',
      [runId],
    )
    if (staged[0]?.count !== rowsRead)
      throw new Error(`The run ${runId} read ${rowsRead} rows and staged ${staged[0]?.count}; it is read again.`)
    await refuseConflicts(sql, runId, publication.nameFields ?? ['First Name', 'Last Name'])
    const brake = runs[0].approved ? undefined : publication.brake
    const judged = brake && (await brakeRun(sql, runId, publication.courseUuid, brake))
    if (judged?.held) return false
    await insertIssuances(sql, runId, publication.courseUuid)
    await insertRunRows(sql, runId, publication.courseUuid)
    await sql.query('DELETE FROM staged_row WHERE run_id = $1', [runId])
    await compareWithLastList(sql, runId, publication.courseUuid)
    await notePublished(sql, runId, {
      ...publication,
      notices: [...publication.notices, ...(judged?.notices ?? [])],
    })
    return true
  })
  // Without fresh statistics the planner takes the tables for empty: the first minute of a large run then crawls at a twentieth of its pace.
  if (published && rowsRead >= 500) await database.query('ANALYZE issuance, issuance_match, run_row')
  return published
}

async function notePublished(sql: Sql, runId: string, of: Publication) {
  await sql.query(
    `UPDATE run SET state = 'published', published_at = clock_timestamp(), course_uuid = $2, format = $3, header = $4, notices = run.notices || $5,
       rows = n.rows, invalid = n.invalid, skipped = n.skipped, accepted = n.accepted, changed = n.changed, known = n.skipped - n.changed
     FROM (SELECT count(*) AS rows, count(*) FILTER (WHERE outcome = 'invalid') AS invalid, count(*) FILTER (WHERE outcome = 'skipped') AS skipped,
                  count(*) FILTER (WHERE outcome = 'accepted') AS accepted, count(changed_fields) AS changed FROM run_row WHERE run_id = $1) n
     WHERE id = $1`,
    [runId, of.courseUuid, of.format, JSON.stringify(of.header), JSON.stringify(of.notices)],
  )
}

/** The first row of each new key becomes an issuance. Ordered by row, so that the ledger sends in the order of the file. */
async function insertIssuances(sql: Sql, runId: string, course: string) {
  await sql.query(
    `INSERT INTO issuance (environment, course_uuid, issuance_key, identity_hash, run_id, row_number, pipeline, recipient, image_sha256, evidence)
     SELECT run.environment, $2, s.issuance_key, s.identity_hash, run.id, s.row_number, run.pipeline, s.recipient, s.image_sha256,
            jsonb_build_object('source', run.source_name, 'row', s.row_number, 'run', run.id)
     FROM (SELECT DISTINCT ON (issuance_key) * FROM staged_row WHERE run_id = $1 AND violations IS NULL ORDER BY issuance_key, row_number) s
     JOIN run ON run.id = s.run_id
     ORDER BY s.row_number
     ON CONFLICT (environment, course_uuid, issuance_key) DO NOTHING`,
    [runId, course],
  )
  await sql.query(
    `INSERT INTO issuance_match (hash, issuance_id)
     SELECT DISTINCT hash, i.id FROM issuance i JOIN staged_row s ON s.run_id = i.run_id AND s.row_number = i.row_number, unnest(s.match_hashes) hash
     WHERE i.run_id = $1`,
    [runId],
  )
}

/**
 * One identity with two names is two people or a slip of the pen, and nobody here can tell which: both rows go back to their owner.
 * Later rows of the same person with the same name are duplicates, which is no conflict.
 */
async function refuseConflicts(sql: Sql, runId: string, nameFields: readonly string[]) {
  // With something between them: Ann Abell is not Anna Bell.
  const name = nameFields.map((_, index) => `coalesce(recipient->>$${index + 2}::text, '')`).join(` || '|' || `) || `''`
  const sentence = `'The rows ' || array_to_string(c.rows[1:5], ', ') || CASE WHEN cardinality(c.rows) > 5 THEN ' and ' || cardinality(c.rows) - 5 || ' more' ELSE '' END || ' name the same person by different names. Correct the names or the identity, and issue the rows again.'`
  await sql.query(
    `WITH conflict AS (
       SELECT identity_hash, array_agg(row_number ORDER BY row_number) AS rows FROM staged_row
       WHERE run_id = $1 AND violations IS NULL GROUP BY identity_hash HAVING count(DISTINCT lower(${name})) > 1)
     UPDATE staged_row s SET recipient = NULL, issuance_key = NULL, identity_hash = NULL, match_hashes = NULL,
       violations = jsonb_build_array(jsonb_build_object('row', s.row_number, 'column', '', 'field', '', 'rule', 'identity_conflict', 'value', '', 'sentence', ${sentence}))
     FROM conflict c WHERE s.run_id = $1 AND s.identity_hash = c.identity_hash`,
    [runId, ...nameFields],
  )
}

/**
 * Each staged row with what became of it. A row that names somebody whom the ledger knows is skipped; where its data differ, perhaps because it is
 * about somebody else, that is noted, and its owner is told the names of the fields and nothing of the known credential.
 */
function insertRunRows(sql: Sql, runId: string, course: string) {
  return sql.query(
    `INSERT INTO run_row (run_id, row_number, outcome, cells, violations, issuance_id, changed_fields, reason)
     SELECT $1, r.row_number, r.outcome, r.cells, r.violations, r.issuance_id, to_jsonb(r.changed),
            CASE WHEN r.outcome <> 'skipped' THEN NULL
                 WHEN r.changed IS NULL AND r.same_file THEN 'the same person as row ' || r.known_row || ' of this file'
                 WHEN r.changed IS NULL THEN 'already known from ' || r.known_from || ', row ' || r.known_row || ', received ' || to_char(r.known_since AT TIME ZONE 'UTC', 'YYYY-MM-DD')
                 WHEN r.same_file THEN 'the same person as row ' || r.known_row || ' of this file, and ' || ${differing('r.changed')} || ': only that row is taken'
                 ELSE 'known from row ' || r.known_row || ' of ' || r.known_from || ', and ' || ${differing('r.changed')} || ': a correction, which is never issued by itself' END
     FROM (
       SELECT s.row_number, s.outcome, s.cells, s.violations, s.issuance_id, s.known_row, s.same_file, known.source_name AS known_from, known.received_at AS known_since,
              CASE WHEN s.outcome = 'skipped' THEN ${changedFields('s.fresh', 's.known')} END AS changed
       FROM (
         SELECT s.row_number, s.cells, s.violations, s.recipient AS fresh, i.recipient AS known, i.id AS issuance_id, i.run_id AS known_run, i.row_number AS known_row,
                i.run_id = s.run_id AS same_file,
                CASE WHEN s.violations IS NOT NULL THEN 'invalid' WHEN i.run_id = s.run_id AND i.row_number = s.row_number THEN 'accepted' ELSE 'skipped' END AS outcome
         FROM staged_row s
         JOIN run ON run.id = s.run_id
         LEFT JOIN issuance i ON s.violations IS NULL AND i.environment = run.environment AND i.course_uuid = $2 AND i.issuance_key = s.issuance_key
         WHERE s.run_id = $1) s
       LEFT JOIN run known ON known.id = s.known_run
       -- Without this the planner writes the comparison out at each place that asks for its result.
       OFFSET 0) r`,
    [runId, course],
  )
}
