// Moves the rows of a run from staging into the ledger, first those of new people and then all others. Runs within the
// transaction that publishes the run. Writes to the database.

import { whereRule } from '#src/domain/recipient/who-is-meant.ts'
import type { Sql } from '#src/platform/database/database.ts'
import { changedFields, differingClause, namesByRole } from './changed-fields.ts'

/** The run's fields that are copied to its issuances. */
export interface SourceOfRows {
  environment: string
  pipeline: string
  sourceName: string
}

// Large enough for planning to cost little compared with inserting, and small enough for the constraint checks at the
// end of a statement to fit in memory.
const chunkRows = 10_000

/**
 * Creates an issuance for the first row of each unknown key, in the order of the file, which is the order of sending.
 * These rows are moved out of staging with the outcome `accepted`.
 */
export async function publishNewRows(sql: Sql, runId: string, course: string, source: SourceOfRows): Promise<void> {
  const { rows } = await sql.query<{ end: number }>(
    `SELECT row_number AS end FROM (SELECT row_number, row_number() OVER (ORDER BY row_number) AS n FROM staged_row WHERE run_id = $1) r
     WHERE n % ${chunkRows} = 0 ORDER BY row_number`,
    [runId],
  )
  let after = 0
  await withoutNestedLoops(sql, async () => {
    for (const end of [...rows.map((row) => row.end), 2 ** 31 - 1]) {
      await publishChunk(sql, runId, course, source, [after, end])
      after = end
    }
  })
}

/** Uses one statement for all four tables, so that each row is read only once. A trigger writes the history. */
function publishChunk(sql: Sql, runId: string, course: string, source: SourceOfRows, [after, end]: [number, number]) {
  const inChunk = 's.run_id = $1 AND s.row_number > $3 AND s.row_number <= $4'
  return sql.query(
    `WITH fresh AS (
       INSERT INTO issuance (environment, course_uuid, issuance_key, identity_hash, run_id, row_number, pipeline, recipient, image_sha256, evidence)
       SELECT $5, $2, s.issuance_key, s.identity_hash, s.run_id, s.row_number, $6, s.recipient, s.image_sha256,
              jsonb_build_object('source', $7::text, 'row', s.row_number, 'run', s.run_id)
       FROM staged_row s WHERE ${inChunk} AND s.violations IS NULL ORDER BY s.row_number
       -- The first row of a key wins, and a known issuance is not changed.
       ON CONFLICT (environment, course_uuid, issuance_key) DO NOTHING RETURNING id, row_number),
     taken AS (
       DELETE FROM staged_row s USING fresh WHERE ${inChunk} AND s.row_number = fresh.row_number RETURNING s.row_number, s.cells, s.raw, s.match_hashes, fresh.id),
     matched AS (INSERT INTO issuance_match (hash, issuance_id) SELECT DISTINCT hash, id FROM taken, unnest(match_hashes) hash)
     INSERT INTO run_row (run_id, row_number, outcome, cells, raw, issuance_id) SELECT $1, row_number, 'accepted', cells, raw, id FROM taken`,
    [runId, course, after, end, source.environment, source.pipeline, source.sourceName],
  )
}

/**
 * Runs statements that join many staged rows, with nested loops disabled. The planner has no statistics for rows that
 * were just written, and would scan all of them once for each row. In a test, 50,000 rows then took minutes instead of
 * seconds.
 */
export async function withoutNestedLoops<Result>(sql: Sql, work: () => Promise<Result>): Promise<Result> {
  await sql.query('SET LOCAL enable_nestloop = off')
  const result = await work()
  await sql.query('SET LOCAL enable_nestloop TO DEFAULT')
  return result
}

/**
 * Records the outcome of the rows that are still staged after the new ones were published. A row of a known person is
 * skipped, and so is a row that the setting `where` leaves out. If the data of a known person differ, the row's owner
 * sees the names of the fields but none of the known credential's data, because the row may be about someone else. A
 * different image is reported under the title of its column and stored with the row, so that an operator can have it
 * sent (src/ledger/runs/images.ts).
 */
export async function publishOtherRows(sql: Sql, runId: string, course: string, imageColumn: string): Promise<void> {
  const { phones, emails } = namesByRole(await stagedNames(sql, runId))
  await sql.query(
    `INSERT INTO run_row (run_id, row_number, outcome, cells, raw, violations, issuance_id, changed_fields, image_sha256, reason)
     SELECT $1, r.row_number, r.outcome, r.cells, r.raw, CASE WHEN r.outcome = 'invalid' THEN r.violations END, r.issuance_id, to_jsonb(r.changed), CASE WHEN r.changed IS NOT NULL THEN r.image END,
            CASE WHEN r.outcome <> 'skipped' THEN NULL
                 WHEN r.violations IS NOT NULL THEN r.violations->0->>'sentence'
                 WHEN r.changed IS NULL AND r.same_file THEN 'the same person as row ' || r.known_row || ' of this file'
                 WHEN r.changed IS NULL AND r.adopted THEN 'already known: ' || r.known_from
                 WHEN r.changed IS NULL THEN 'already known from ' || r.known_from || ', row ' || r.known_row || ', received ' || to_char(r.known_since AT TIME ZONE 'UTC', 'YYYY-MM-DD')
                 WHEN r.same_file THEN 'the same person as row ' || r.known_row || ' of this file, and ' || ${differingClause('r.changed')} || ': only that row is taken'
                 WHEN r.adopted THEN 'known, ' || r.known_from || ', and ' || ${differingClause('r.changed')} || ': a correction, which is never issued automatically'
                 ELSE 'known from row ' || r.known_row || ' of ' || r.known_from || ', and ' || ${differingClause('r.changed')} || ': a correction, which is never issued automatically' END
     FROM (
       SELECT s.row_number, s.outcome, s.cells, s.raw, s.violations, s.issuance_id, s.known_row, s.same_file, s.adopted, known.source_name AS known_from, known.received_at AS known_since,
              CASE WHEN s.known_image IS NULL OR s.image <> s.known_image THEN s.image END AS image,
              CASE WHEN s.outcome = 'skipped' THEN array_cat(${changedFields('s.fresh', 's.known', { phones: '$3', emails: '$4' }, 's.adopted')},
                CASE WHEN s.known IS NOT NULL AND s.image <> s.known_image THEN ARRAY[$5::text] END) END AS changed
       FROM (
         SELECT s.row_number, s.cells, s.raw, s.violations, s.recipient AS fresh, s.image_sha256 AS image, i.image_sha256 AS known_image, i.recipient AS known, i.id AS issuance_id, i.run_id AS known_run, i.row_number AS known_row,
                i.run_id = s.run_id AS same_file, i.adopted_as IS NOT NULL AS adopted,
                CASE WHEN s.violations IS NOT NULL AND s.violations->0->>'rule' IS DISTINCT FROM '${whereRule}' THEN 'invalid' ELSE 'skipped' END AS outcome
         FROM staged_row s
         JOIN run ON run.id = s.run_id
         LEFT JOIN issuance i ON s.violations IS NULL AND i.environment = run.environment AND i.course_uuid = $2 AND i.issuance_key = s.issuance_key
         WHERE s.run_id = $1) s
       LEFT JOIN run known ON known.id = s.known_run
       -- Without this the planner repeats the comparison at each place that uses its result.
       OFFSET 0) r`,
    [runId, course, phones, emails, imageColumn],
  )
  await sql.query('DELETE FROM staged_row WHERE run_id = $1', [runId])
}

/** Returns the names of the fields that the staged rows fill. */
export async function stagedNames(sql: Sql, runId: string): Promise<string[]> {
  const { rows } = await sql.query<{ name: string }>(
    'SELECT DISTINCT name FROM staged_row, jsonb_object_keys(recipient) name WHERE run_id = $1',
    [runId],
  )
  return rows.map((row) => row.name)
}
