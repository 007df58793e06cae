// What the ledger's figures cost a database: with few and with many settled rows, beside the plain count by state.
// node bench/figures.ts [settled rows] [open rows]

import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Database, openDatabase } from '#src/database/database.ts'
import { openEmbeddedPostgres } from '#src/database/embedded-postgres.ts'
import { readFigures } from '#src/ledger/figures.ts'
import { migrate } from '#src/ledger/migrate.ts'
import { systemClock } from '#src/time/clock.ts'

const settled = Number(process.argv[2] ?? 1_000_000)
const open = Number(process.argv[3] ?? 10_000)
const perRun = 1_000

const dataDir = await mkdtemp(join(tmpdir(), 'credsync-figures-'))
const postgres = await openEmbeddedPostgres({ dataDir, clock: systemClock })
const database = openDatabase(postgres.url)
try {
  await migrate(database, randomBytes(32))
  await fill(database, open, 'open')
  const few = await measure('few settled rows')
  await fill(database, settled, 'settled')
  const many = await measure(`${settled.toLocaleString('en')} settled rows`)
  console.log(`figures: ${(many.figures / few.figures).toFixed(1)} times as long as with none settled`)
  console.log(`figures: ${(many.figures / many.plain).toFixed(3)} of the plain count by state`)
} finally {
  await database.close()
  await postgres.release()
  await rm(dataDir, { recursive: true, force: true })
}

/** Rows as they are in the end, written without their history: the ledger's triggers would take an hour. */
async function fill(on: Database, rows: number, kind: 'open' | 'settled'): Promise<void> {
  const state =
    kind === 'open'
      ? `(ARRAY['pending', 'requested', 'in_progress', 'unconfirmed'])[1 + n % 4]`
      : `CASE WHEN n % 200 = 0 THEN 'failed' WHEN n % 500 = 1 THEN 'revoked' ELSE 'issued' END`
  await on.transaction(async (sql) => {
    await sql.query('SET LOCAL session_replication_role = replica')
    await sql.query('SET LOCAL statement_timeout = 0')
    await sql.query(
      `INSERT INTO run (id, environment, pipeline, source_name, source_path, source_sha256, state, rows, accepted, published_at, settled_at)
       SELECT md5($2 || n)::uuid, 'development', 'p' || n % 5, 'f', 'f', $2 || n, 'published', $3, $3, clock_timestamp(), CASE WHEN $2 = 'settled' THEN clock_timestamp() END
       FROM generate_series(0, ($1::int - 1) / $3::int) n`,
      [rows, kind, perRun],
    )
    await sql.query(
      `INSERT INTO issuance (environment, course_uuid, issuance_key, identity_hash, run_id, row_number, pipeline, recipient, state, first_sent_at, credential_id)
       SELECT 'development', '11111111-1111-4111-8111-111111111111', sha256(convert_to($2 || n, 'UTF8')), sha256(convert_to('i' || n, 'UTF8')), md5($2 || n / $3::int)::uuid, n, 'p' || (n / $3::int) % 5,
              jsonb_build_object('Email', 'person.' || n || '@example.org', 'First Name', 'Ada', 'Last Name', 'Lovelace', 'Primary Value', 'Email', 'Course', repeat('x', 60)),
              ${state}, clock_timestamp(), 'C-' || n
       FROM generate_series(0, $1::int - 1) n`,
      [rows, kind, perRun],
    )
    await sql.query(
      `INSERT INTO write_back (run_id, target, wanted, told) SELECT id, 'results-file', 1, 1 FROM run ON CONFLICT DO NOTHING`,
    )
    await sql.query(
      `INSERT INTO attempt (environment, course_uuid, pipeline, phase, size, ended_at, shown_at, outcome)
       SELECT 'development', '11111111-1111-4111-8111-111111111111', 'p1', 'ended', 100, clock_timestamp(), clock_timestamp(), 'accepted' FROM generate_series(1, $1::int / 100)`,
      [rows],
    )
  })
  await on.query('VACUUM ANALYZE')
}

async function measure(name: string): Promise<{ figures: number; plain: number }> {
  const figures = await medianOf(() => readFigures(database, 'development'))
  const plain = await medianOf(() =>
    database.query(`SELECT pipeline, state, count(*) FROM issuance WHERE environment = 'development' GROUP BY 1, 2`),
  )
  console.log(`${name}: figures ${figures.toFixed(1)} ms, plain count by state ${plain.toFixed(1)} ms`)
  return { figures, plain }
}

/** The median of eleven, after one that warms up. */
async function medianOf(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let turn = 0; turn < 12; turn++) {
    const began = systemClock.monotonicMs()
    await work()
    if (turn > 0) times.push(systemClock.monotonicMs() - began)
  }
  return times.sort((a, b) => a - b)[5] ?? Number.NaN
}
