// The rows of a run out of staging into the ledger, within the transaction of its publication: first the new ones, then the rest.

import type { Sql } from '#src/database/database.ts'
import { changedFields, differing, namesByRole } from './changed-fields.ts'

/** Of the run: copied to its issuances. */
export interface SourceOfRows {
  environment: string
  pipeline: string
  sourceName: string
}

// Large enough that planning costs nothing beside inserting, small enough that the checks that wait for the end of a statement stay in memory.
const chunkRows = 10_000

/**
 * The first row of each key that the ledger does not know becomes an issuance, in the order of the file, which is the order of sending. It leaves
 * staging, and its run_row says accepted.
 */
export async function publishNewRows(sql: Sql, runId: string, course: string, source: SourceOfRows): Promise<void> {
  const { rows } = await sql.query<{ end: number }>(
    `SELECT row_number AS end FROM (SELECT row_number, row_number() OVER (ORDER BY row_number) AS n FROM staged_row WHERE run_id = $1) r
     WHERE n % ${chunkRows} = 0 ORDER BY row_number`,
    [runId],
  )
  let after = 0
  await byHashing(sql, async () => {
    for (const end of [...rows.map((row) => row.end), 2 ** 31 - 1]) {
      await publishNewOf(sql, runId, course, source, [after, end])
      after = end
    }
  })
}

/** One statement for all four tables (the history writes itself), so that a row is fetched once. */
function publishNewOf(sql: Sql, runId: string, course: string, source: SourceOfRows, [after, end]: [number, number]) {
  const those = 's.run_id = $1 AND s.row_number > $3 AND s.row_number <= $4'
  return sql.query(
    `WITH fresh AS (
       INSERT INTO issuance (environment, course_uuid, issuance_key, identity_hash, run_id, row_number, pipeline, recipient, image_sha256, evidence)
       SELECT $5, $2, s.issuance_key, s.identity_hash, s.run_id, s.row_number, $6, s.recipient, s.image_sha256,
              jsonb_build_object('source', $7::text, 'row', s.row_number, 'run', s.run_id)
       FROM staged_row s WHERE ${those} AND s.violations IS NULL ORDER BY s.row_number
       -- The first row of a key wins, and who is known already stays.
       ON CONFLICT (environment, course_uuid, issuance_key) DO NOTHING RETURNING id, row_number),
     taken AS (
       DELETE FROM staged_row s USING fresh WHERE ${those} AND s.row_number = fresh.row_number RETURNING s.row_number, s.cells, s.match_hashes, fresh.id),
     matched AS (INSERT INTO issuance_match (hash, issuance_id) SELECT DISTINCT hash, id FROM taken, unnest(match_hashes) hash)
     INSERT INTO run_row (run_id, row_number, outcome, cells, issuance_id) SELECT $1, row_number, 'accepted', cells, id FROM taken`,
    [runId, course, after, end, source.environment, source.pipeline, source.sourceName],
  )
}

/**
 * Runs statements that join many staged rows. The planner has no figures of rows that were written a moment ago, takes them for a few, and would
 * walk all of them for each of them: measured, 50,000 rows then take minutes instead of seconds.
 */
export async function byHashing<Result>(sql: Sql, work: () => Promise<Result>): Promise<Result> {
  await sql.query('SET LOCAL enable_nestloop = off')
  const result = await work()
  await sql.query('SET LOCAL enable_nestloop TO DEFAULT')
  return result
}

/**
 * The rows that are still staged once the new ones are published, each with what became of it. A row that names somebody whom the ledger knows is skipped; where its data differ, perhaps because it is
 * about somebody else, that is noted, and its owner is told the names of the fields and nothing of the known credential. Another image than the known
 * one is noted under the title of its column, and stays with the row: a person may have it sent (src/ledger/images.ts).
 */
export async function publishOtherRows(sql: Sql, runId: string, course: string, imageColumn: string): Promise<void> {
  const { phones, emails } = namesByRole(await stagedNames(sql, runId))
  await sql.query(
    `INSERT INTO run_row (run_id, row_number, outcome, cells, violations, issuance_id, changed_fields, image_sha256, reason)
     SELECT $1, r.row_number, r.outcome, r.cells, r.violations, r.issuance_id, to_jsonb(r.changed), CASE WHEN r.changed IS NOT NULL THEN r.image END,
            CASE WHEN r.outcome <> 'skipped' THEN NULL
                 WHEN r.changed IS NULL AND r.same_file THEN 'the same person as row ' || r.known_row || ' of this file'
                 WHEN r.changed IS NULL AND r.adopted THEN 'already known: ' || r.known_from
                 WHEN r.changed IS NULL THEN 'already known from ' || r.known_from || ', row ' || r.known_row || ', received ' || to_char(r.known_since AT TIME ZONE 'UTC', 'YYYY-MM-DD')
                 WHEN r.same_file THEN 'the same person as row ' || r.known_row || ' of this file, and ' || ${differing('r.changed')} || ': only that row is taken'
                 WHEN r.adopted THEN 'known, ' || r.known_from || ', and ' || ${differing('r.changed')} || ': a correction, which is never issued by itself'
                 ELSE 'known from row ' || r.known_row || ' of ' || r.known_from || ', and ' || ${differing('r.changed')} || ': a correction, which is never issued by itself' END
     FROM (
       SELECT s.row_number, s.outcome, s.cells, s.violations, s.issuance_id, s.known_row, s.same_file, s.adopted, known.source_name AS known_from, known.received_at AS known_since,
              CASE WHEN s.known_image IS NULL OR s.image <> s.known_image THEN s.image END AS image,
              CASE WHEN s.outcome = 'skipped' THEN array_cat(${changedFields('s.fresh', 's.known', { phones: '$3', emails: '$4' }, 's.adopted')},
                CASE WHEN s.known IS NOT NULL AND s.image <> s.known_image THEN ARRAY[$5::text] END) END AS changed
       FROM (
         SELECT s.row_number, s.cells, s.violations, s.recipient AS fresh, s.image_sha256 AS image, i.image_sha256 AS known_image, i.recipient AS known, i.id AS issuance_id, i.run_id AS known_run, i.row_number AS known_row,
                i.run_id = s.run_id AS same_file, i.adopted_as IS NOT NULL AS adopted,
                CASE WHEN s.violations IS NOT NULL THEN 'invalid' ELSE 'skipped' END AS outcome
         FROM staged_row s
         JOIN run ON run.id = s.run_id
         LEFT JOIN issuance i ON s.violations IS NULL AND i.environment = run.environment AND i.course_uuid = $2 AND i.issuance_key = s.issuance_key
         WHERE s.run_id = $1) s
       LEFT JOIN run known ON known.id = s.known_run
       -- Without this the planner writes the comparison out at each place that asks for its result.
       OFFSET 0) r`,
    [runId, course, phones, emails, imageColumn],
  )
  await sql.query('DELETE FROM staged_row WHERE run_id = $1', [runId])
}

/** Names of the fields that the staged rows fill. */
async function stagedNames(sql: Sql, runId: string): Promise<string[]> {
  const { rows } = await sql.query<{ name: string }>(
    'SELECT DISTINCT name FROM staged_row, jsonb_object_keys(recipient) name WHERE run_id = $1',
    [runId],
  )
  return rows.map((row) => row.name)
}
