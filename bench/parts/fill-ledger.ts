// Fills a ledger with many open or settled rows, as if it had been in use for years. The rows are written without their
// history, because the triggers of the ledger would take hours. Writes to the database, in one transaction.

import type { Database } from '#src/platform/database/database.ts'

const rowsPerRun = 1_000
const defaultCourse = '11111111-1111-4111-8111-111111111111'

export interface FillOptions {
  rows: number
  kind: 'open' | 'settled'
  /** The course of the rows, by default one that no pipeline has. */
  courseUuid?: string
}

export async function fillLedger(
  database: Database,
  { rows, kind, courseUuid = defaultCourse }: FillOptions,
): Promise<void> {
  const state =
    kind === 'open'
      ? `(ARRAY['pending', 'requested', 'in_progress', 'unconfirmed'])[1 + n % 4]`
      : `CASE WHEN n % 200 = 0 THEN 'failed' WHEN n % 500 = 1 THEN 'revoked' ELSE 'issued' END`
  await database.transaction(async (sql) => {
    await sql.query('SET LOCAL session_replication_role = replica')
    await sql.query('SET LOCAL statement_timeout = 0')
    await sql.query(
      `INSERT INTO run (id, environment, pipeline, source_name, source_path, source_sha256, state, rows, accepted, published_at, settled_at)
       SELECT md5($2 || n)::uuid, 'development', 'p' || n % 5, 'f', 'f', $2 || n, 'published', $3, $3, clock_timestamp(), CASE WHEN $2 = 'settled' THEN clock_timestamp() END
       FROM generate_series(0, ($1::int - 1) / $3::int) n`,
      [rows, kind, rowsPerRun],
    )
    await sql.query(
      `INSERT INTO issuance (environment, course_uuid, issuance_key, identity_hash, run_id, row_number, pipeline, recipient, state, first_sent_at, credential_id)
       SELECT 'development', $4, sha256(convert_to($2 || n, 'UTF8')), sha256(convert_to('i' || n, 'UTF8')), md5($2 || n / $3::int)::uuid, n, 'p' || (n / $3::int) % 5,
              jsonb_build_object('Email', 'person.' || n || '@example.org', 'First Name', 'Ada', 'Last Name', 'Lovelace', 'Primary Value', 'Email', 'Course', repeat('x', 60)),
              ${state}, clock_timestamp(), 'C-' || n
       FROM generate_series(0, $1::int - 1) n`,
      [rows, kind, rowsPerRun, courseUuid],
    )
    await sql.query(
      `INSERT INTO run_row (run_id, row_number, outcome, cells, issuance_id)
       SELECT run_id, row_number, 'accepted', '[]', id FROM issuance WHERE course_uuid = $1 ON CONFLICT DO NOTHING`,
      [courseUuid],
    )
    await sql.query(
      `INSERT INTO run_count (run_id, state, rows, surplus) SELECT run_id, state, count(*), 0 FROM issuance
       WHERE NOT EXISTS (SELECT FROM run_count c WHERE c.run_id = issuance.run_id) GROUP BY run_id, state`,
    )
    await sql.query(
      `INSERT INTO issuance_match SELECT sha256(convert_to('m' || id, 'UTF8')), id FROM issuance WHERE course_uuid = $1
       ON CONFLICT DO NOTHING`,
      [courseUuid],
    )
    await sql.query(
      `INSERT INTO write_back (run_id, target, wanted, written) SELECT id, 'results-file', 1, 1 FROM run ON CONFLICT DO NOTHING`,
    )
    await sql.query(
      `INSERT INTO attempt (environment, course_uuid, pipeline, phase, size, ended_at, shown_at, outcome)
       SELECT 'development', $2, 'p1', 'ended', 100, clock_timestamp(), clock_timestamp(), 'accepted' FROM generate_series(1, $1::int / 100)`,
      [rows, courseUuid],
    )
  })
  await database.query('VACUUM ANALYZE')
}
