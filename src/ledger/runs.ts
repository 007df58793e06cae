// Runs: one source file each, from the moment it was received.

import type { Sql } from '#src/database/database.ts'
import { noStates, type StateCounts } from '#src/issuance/state.ts'
import type { Decision } from './decisions.ts'

export interface Run {
  id: string
  environment: string
  pipeline: string
  courseUuid: string | null
  sourceName: string
  sourcePath: string
  sourceSha256: string
  format: 'csv' | 'xlsx' | null
  /** What stood between the cells of a CSV source. */
  separator: string | null
  header: string[] | null
  state: 'received' | 'published' | 'refused' | 'braked'
  rows: number
  invalid: number
  skipped: number
  accepted: number
  /** Of the skipped: the same data as the ledger knows, or other data. */
  known: number
  changed: number
  /** People of the last list who are not in this one, and which list that was: `march.csv, 2026-03-01`. */
  gone: number
  lastList: string | null
  readRows: number
  notices: string[]
  refusal: string | null
  resultsPath: string | null
  invalidPath: string | null
  receivedAt: Date
  publishedAt: Date | null
  settledAt: Date | null
  /** Why the brake held it, whatever was decided since; null when it never did. */
  brake: { accepted: number; usual: number | null; because: string } | null
  /** Who let a braked run go, and why. */
  approval: Decision | null
}

const columns = `id, environment, pipeline, course_uuid AS "courseUuid", source_name AS "sourceName", source_path AS "sourcePath",
  source_sha256 AS "sourceSha256", format, separator, header, state, rows, invalid, skipped, accepted, read_rows AS "readRows", notices, refusal,
  results_path AS "resultsPath", invalid_path AS "invalidPath", received_at AS "receivedAt", published_at AS "publishedAt", settled_at AS "settledAt",
  known, changed, gone, (SELECT l.source_name || ', ' || to_char(l.received_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') FROM run l WHERE l.id = run.last_list) AS "lastList",
  CASE WHEN braked_at IS NOT NULL THEN json_build_object('accepted', would_accept, 'usual', usual, 'because', braked_because) END AS brake,
  CASE WHEN approved_at IS NOT NULL THEN json_build_object('by', approved_by, 'why', approved_why) END AS approval`

export interface NewRun {
  environment: string
  pipeline: string
  sourceName: string
  sourcePath: string
  sourceSha256: string
}

/**
 * Notes that a source was handed to us. The same content for the same pipeline, whose earlier run has not come to rest, is that
 * run once more: it goes on where it stopped.
 */
export async function receiveRun(sql: Sql, source: NewRun): Promise<{ run: Run; resumed: boolean }> {
  const values = [source.environment, source.pipeline, source.sourceSha256]
  const unfinished = await sql.query<Run>(
    `SELECT ${columns} FROM run
     WHERE environment = $1 AND pipeline = $2 AND source_sha256 = $3 AND state <> 'refused' AND settled_at IS NULL
     ORDER BY received_at DESC LIMIT 1`,
    values,
  )
  if (unfinished.rows[0]) {
    // The file may have moved since; a run that has not read it yet, or will read it again once it is approved, reads it where it is now.
    await sql.query(
      `UPDATE run SET source_path = $2, source_name = $3, missed_at = NULL WHERE id = $1 AND state IN ('received', 'braked') AND NOT inbox`,
      [unfinished.rows[0].id, source.sourcePath, source.sourceName],
    )
    return { run: unfinished.rows[0], resumed: true }
  }
  const { rows } = await sql.query<Run>(
    `INSERT INTO run (environment, pipeline, source_sha256, source_name, source_path) VALUES ($1, $2, $3, $4, $5) RETURNING ${columns}`,
    [...values, source.sourceName, source.sourcePath],
  )
  return { run: rows[0] as Run, resumed: false }
}

export async function findRun(sql: Sql, id: string): Promise<Run | null> {
  const { rows } = await sql.query<Run>(`SELECT ${columns} FROM run WHERE id::text = $1`, [id])
  return rows[0] ?? null
}

/**
 * The runs that somebody means by an id or its beginning, such as the eight characters that file names carry; a few where it fits many.
 * @param environment null for those of any
 */
export async function runsNamed(sql: Sql, environment: string | null, text: string): Promise<string[]> {
  if (!/^[0-9a-f]{8}[0-9a-f-]{0,28}$/i.test(text)) return []
  const { rows } = await sql.query<{ id: string }>(
    `SELECT id FROM run WHERE ($1::text IS NULL OR environment = $1) AND starts_with(id::text, lower($2)) ORDER BY received_at, id LIMIT 5`,
    [environment, text],
  )
  return rows.map((row) => row.id)
}

/** The most recent first. */
export async function listRuns(sql: Sql, most = 20): Promise<Run[]> {
  const { rows } = await sql.query<Run>(`SELECT ${columns} FROM run ORDER BY received_at DESC, id LIMIT $1`, [most])
  return rows
}

/** A run and its states as they stood at one instant, so that the sums hold. */
export async function runWithStates(
  sql: Sql,
  runId: string,
): Promise<{ run: Run; states: StateCounts; surplus: number } | null> {
  const { rows } = await sql.query<{ run: Run; states: Record<string, number> | null; surplus: number }>(
    `SELECT (SELECT row_to_json(r) FROM (SELECT ${columns} FROM run WHERE id::text = $1) r) AS run,
            (SELECT json_object_agg(state, n) FROM (SELECT state, count(*) AS n FROM issuance WHERE run_id = (SELECT id FROM run WHERE id::text = $1) GROUP BY state) s) AS states,
            (SELECT coalesce(sum(surplus_items), 0)::int FROM issuance WHERE run_id = (SELECT id FROM run WHERE id::text = $1)) AS surplus`,
    [runId],
  )
  const row = rows[0]
  if (!row?.run) return null
  return { run: row.run, states: Object.assign(noStates(), row.states ?? {}), surplus: row.surplus }
}

/** A worker cannot read what was handed over; another one may. @returns for how many milliseconds nobody could */
export async function missRun(sql: Sql, runId: string): Promise<number> {
  const { rows } = await sql.query<{ missedMs: number }>(
    `UPDATE run SET missed_at = coalesce(missed_at, clock_timestamp()) WHERE id = $1
     RETURNING (extract(epoch FROM clock_timestamp() - missed_at) * 1000)::float AS "missedMs"`,
    [runId],
  )
  return rows[0]?.missedMs ?? 0
}

/** A worker can read it after all: if that one dies, the next has as long again. */
export async function foundRun(sql: Sql, runId: string): Promise<void> {
  await sql.query('UPDATE run SET missed_at = NULL WHERE id = $1 AND missed_at IS NOT NULL', [runId])
}

export async function refuseRun(sql: Sql, runId: string, sentence: string): Promise<void> {
  await sql.query('DELETE FROM staged_row WHERE run_id = $1', [runId])
  await sql.query(
    `UPDATE run SET state = 'refused', refusal = $2, settled_at = clock_timestamp() WHERE id = $1 AND state = 'received'`,
    [runId, sentence],
  )
}

export async function noteRunPaths(
  sql: Sql,
  runId: string,
  paths: { results?: string; invalid?: string },
): Promise<void> {
  await sql.query(
    'UPDATE run SET results_path = coalesce($2, results_path), invalid_path = coalesce($3, invalid_path) WHERE id = $1',
    [runId, paths.results ?? null, paths.invalid ?? null],
  )
}

/**
 * Marks the runs of which every issuance has come to rest, and wants their results told.
 * @returns the ids of those that settled now
 */
export async function settleRuns(sql: Sql, environment: string): Promise<string[]> {
  const { rows } = await sql.query<{ id: string }>(
    `WITH settled AS (
       UPDATE run SET settled_at = clock_timestamp()
       WHERE environment = $1 AND state = 'published' AND settled_at IS NULL AND NOT adopting
         -- With a LIMIT the planner looks for one open row of each run, instead of joining all that are open, every second.
         AND (SELECT i.id FROM issuance i WHERE i.run_id = run.id AND i.state IN ('pending', 'sending', 'unconfirmed', 'requested', 'in_progress') LIMIT 1) IS NULL
       RETURNING id, adopts),
     told AS (
       -- Nobody handed over what was adopted, so there is nobody to tell.
       INSERT INTO write_back (run_id, target) SELECT id, 'results-file' FROM settled WHERE adopts IS NULL
       ON CONFLICT (run_id, target) DO UPDATE SET wanted = write_back.wanted + 1)
     SELECT id FROM settled`,
    [environment],
  )
  return rows.map((row) => row.id)
}
