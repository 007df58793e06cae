// From a source to ledger rows, in two steps: rows are staged while the source is read, and published all at once when it ended well.

import type { Database, Sql } from '#src/database/database.ts'

export interface StagedRow {
  row: number
  cells: readonly string[]
  /** Null for a row that is in order. */
  violations: readonly object[] | null
  recipient: Readonly<Record<string, string>> | null
  issuanceKey: Buffer | null
  identityHash: Buffer | null
  matchHashes: readonly Buffer[] | null
}

export interface Publication {
  courseUuid: string
  format: string
  header: readonly string[]
  notices: readonly string[]
}

/** A reading that died halfway left its rows behind; the next one starts from the first row. */
export async function clearStaged(sql: Sql, runId: string): Promise<void> {
  await sql.query('DELETE FROM staged_row WHERE run_id = $1', [runId])
  await sql.query('UPDATE run SET read_rows = 0 WHERE id = $1', [runId])
}

export async function stageRows(sql: Sql, runId: string, rows: readonly StagedRow[]): Promise<void> {
  const text = (value: unknown) => (value === null ? null : JSON.stringify(value))
  await sql.query(
    `INSERT INTO staged_row (run_id, row_number, cells, violations, recipient, issuance_key, identity_hash, match_hashes)
     SELECT $1, r.row_number, r.cells, r.violations, r.recipient, r.issuance_key, r.identity_hash,
            CASE WHEN r.match_one IS NULL THEN NULL WHEN r.match_two IS NULL THEN ARRAY[r.match_one] ELSE ARRAY[r.match_one, r.match_two] END
     FROM unnest($2::int[], $3::jsonb[], $4::jsonb[], $5::jsonb[], $6::bytea[], $7::bytea[], $8::bytea[], $9::bytea[])
       AS r(row_number, cells, violations, recipient, issuance_key, identity_hash, match_one, match_two)`,
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
    ],
  )
  await sql.query('UPDATE run SET read_rows = read_rows + $2 WHERE id = $1', [runId, rows.length])
}

/**
 * Publishes the staged rows of a run in one transaction: rows, invalid, skipped, accepted and the issuances appear together.
 * A row whose credential the ledger already knows, from this file or any other, is skipped and says where it is known from.
 * @returns false when the run was published already
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
    const { rows: runs } = await sql.query<{ state: string }>('SELECT state FROM run WHERE id = $1 FOR UPDATE', [runId])
    if (runs[0]?.state !== 'received') return false
    const { rows: staged } = await sql.query<{ count: number }>(
      'SELECT count(*) AS count FROM staged_row WHERE run_id = $1',
      [runId],
    )
    if (staged[0]?.count !== rowsRead)
      throw new Error(`The run ${runId} read ${rowsRead} rows and staged ${staged[0]?.count}; it is read again.`)
    await refuseConflicts(sql, runId)
    await refuseKnownByOtherName(sql, runId, publication.courseUuid)
    await insertIssuances(sql, runId, publication.courseUuid)
    await insertRunRows(sql, runId, publication.courseUuid)
    await sql.query('DELETE FROM staged_row WHERE run_id = $1', [runId])
    await sql.query(
      `UPDATE run SET state = 'published', published_at = clock_timestamp(), course_uuid = $2, format = $3, header = $4, notices = $5,
         rows = n.rows, invalid = n.invalid, skipped = n.skipped, accepted = n.accepted
       FROM (SELECT count(*) AS rows, count(*) FILTER (WHERE outcome = 'invalid') AS invalid, count(*) FILTER (WHERE outcome = 'skipped') AS skipped,
                    count(*) FILTER (WHERE outcome = 'accepted') AS accepted FROM run_row WHERE run_id = $1) n
       WHERE id = $1`,
      [
        runId,
        publication.courseUuid,
        publication.format,
        JSON.stringify(publication.header),
        JSON.stringify(publication.notices),
      ],
    )
    return true
  })
  // Without fresh statistics the planner takes the tables for empty: the first minute of a large run then crawls at a twentieth of its pace.
  if (published && rowsRead >= 500) await database.query('ANALYZE issuance, issuance_match, run_row')
  return published
}

/** The first row of each new key becomes an issuance. Ordered by row, so that the ledger sends in the order of the file. */
async function insertIssuances(sql: Sql, runId: string, course: string) {
  await sql.query(
    `INSERT INTO issuance (environment, course_uuid, issuance_key, identity_hash, run_id, row_number, pipeline, recipient, evidence)
     SELECT run.environment, $2, s.issuance_key, s.identity_hash, run.id, s.row_number, run.pipeline, s.recipient,
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

/** A recipient's name as two rows are compared by it. */
const nameOf = (of: string) => `lower(coalesce(${of}->>'First Name', '') || '|' || coalesce(${of}->>'Last Name', ''))`

/** What makes a staged row an invalid one: the row `s` loses its person and gets a violation with this sentence (SQL). */
const asConflict = (
  sentence: string,
) => `recipient = NULL, issuance_key = NULL, identity_hash = NULL, match_hashes = NULL,
  violations = jsonb_build_array(jsonb_build_object('row', s.row_number, 'column', '', 'field', '', 'rule', 'identity_conflict', 'value', '', 'sentence', ${sentence}))`

/**
 * One identity with two names is two people or a slip of the pen, and nobody here can tell which: both rows go back to their owner.
 * Later rows of the same person with the same name are duplicates, which is no conflict.
 */
async function refuseConflicts(sql: Sql, runId: string) {
  const sentence = `'The rows ' || array_to_string(c.rows[1:5], ', ') || ' name the same person by different names. Correct the names or the identity, and issue the rows again.'`
  await sql.query(
    `WITH conflict AS (
       SELECT identity_hash, array_agg(row_number ORDER BY row_number) AS rows FROM staged_row
       WHERE run_id = $1 AND violations IS NULL GROUP BY identity_hash HAVING count(DISTINCT ${nameOf('recipient')}) > 1)
     UPDATE staged_row s SET ${asConflict(sentence)}
     FROM conflict c WHERE s.run_id = $1 AND s.identity_hash = c.identity_hash`,
    [runId],
  )
}

/** The same across files: a known credential of that identity bears another name. Nobody is told somebody else's credential. */
async function refuseKnownByOtherName(sql: Sql, runId: string, course: string) {
  const sentence = `'The ledger knows this person by another name, from row ' || i.row_number || ' of ' || known.source_name || '. If it is the same person, correct the name; if not, correct the identity.'`
  await sql.query(
    `UPDATE staged_row s SET ${asConflict(sentence)}
     FROM run, issuance i JOIN run known ON known.id = i.run_id
     WHERE s.run_id = $1 AND run.id = s.run_id AND s.violations IS NULL AND i.environment = run.environment AND i.course_uuid = $2
       AND i.issuance_key = s.issuance_key AND i.recipient IS NOT NULL AND ${nameOf('i.recipient')} <> ${nameOf('s.recipient')}`,
    [runId, course],
  )
}

function insertRunRows(sql: Sql, runId: string, course: string) {
  return sql.query(
    `INSERT INTO run_row (run_id, row_number, outcome, cells, violations, issuance_id, reason)
     SELECT s.run_id, s.row_number,
            CASE WHEN s.violations IS NOT NULL THEN 'invalid' WHEN i.run_id = s.run_id AND i.row_number = s.row_number THEN 'accepted' ELSE 'skipped' END,
            s.cells, s.violations, i.id,
            CASE WHEN s.violations IS NOT NULL OR (i.run_id = s.run_id AND i.row_number = s.row_number) THEN NULL
                 WHEN i.run_id = s.run_id THEN 'the same person as row ' || i.row_number || ' of this file'
                 ELSE 'already known from ' || known.source_name || ', row ' || i.row_number || ', received ' || to_char(known.received_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') END
     FROM staged_row s
     JOIN run ON run.id = s.run_id
     LEFT JOIN issuance i ON s.violations IS NULL AND i.environment = run.environment AND i.course_uuid = $2 AND i.issuance_key = s.issuance_key
     LEFT JOIN run known ON known.id = i.run_id
     WHERE s.run_id = $1`,
    [runId, course],
  )
}
