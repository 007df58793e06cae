// Stores runs. A run records the processing of one source, from its receipt until its results have been written. Reads
// and writes the database.

import { noStates, type StateCounts, unsentStates, watchedStates } from '#src/domain/credential/state.ts'
import type { Database, Sql } from '#src/platform/database/database.ts'
import type { OperatorDecision } from '../operator-decision.ts'
import { removeImages } from './images.ts'
import { noteCopy } from './receive-file.ts'
import { maxCountEntries, recount, rowsIn, sumUpCounts } from './run-counts.ts'

export interface Run {
  id: string
  environment: string
  pipeline: string
  courseUuid: string | null
  sourceName: string
  sourcePath: string
  sourceSha256: string
  format: 'csv' | 'xlsx' | null
  /** The cell separator of a CSV source. */
  separator: string | null
  header: string[] | null
  state: 'received' | 'published' | 'refused' | 'braked'
  rows: number
  invalid: number
  skipped: number
  accepted: number
  /** Skipped rows whose data are the same as in the ledger. */
  known: number
  /** Skipped rows whose data differ from those in the ledger. */
  changed: number
  /** Skipped rows that the pipeline's setting `where` left out. */
  notMeant: number
  /** Rows whose data were deleted because their person was forgotten, whatever their outcome. */
  forgotten: number
  readRows: number
  notices: string[]
  refusal: string | null
  resultsPath: string | null
  invalidPath: string | null
  receivedAt: Date
  publishedAt: Date | null
  settledAt: Date | null
  /**
   * Why the brake held the run, even if it has been approved or rejected since; null if it was never held. `shown` is
   * true if it was held because of what the report shows for its course, and `adopted` if those items have been adopted
   * since.
   */
  brake: { accepted: number; usual: number | null; because: string; shown: boolean; adopted: boolean } | null
  /** Who approved a braked run, and why. */
  approval: OperatorDecision | null
  /** Why a received run has not been read yet. */
  waits: string | null
}

const runColumns = `id, environment, pipeline, course_uuid AS "courseUuid", source_name AS "sourceName", source_path AS "sourcePath",
  source_sha256 AS "sourceSha256", format, separator, header, state, rows, invalid, skipped, accepted, read_rows AS "readRows", notices, refusal,
  results_path AS "resultsPath", invalid_path AS "invalidPath", received_at AS "receivedAt", published_at AS "publishedAt", settled_at AS "settledAt",
  known, changed, skipped - known - changed AS "notMeant",
  (SELECT count(*) FROM run_row f WHERE f.run_id = run.id AND f.forgotten_at IS NOT NULL)::int AS forgotten,
  CASE WHEN braked_at IS NOT NULL THEN json_build_object('accepted', would_accept, 'usual', usual, 'because', braked_because, 'shown', shown,
    'adopted', shown AND EXISTS (SELECT FROM course c WHERE c.environment = run.environment AND c.course_uuid = run.course_uuid AND c.first_list = 'adopted'))
  END AS brake,
  CASE WHEN approved_at IS NOT NULL THEN json_build_object('by', approved_by, 'why', approved_why) END AS approval,
  CASE WHEN state = 'received' THEN waits_because END AS waits`

export interface NewRun {
  pipeline: string
  sourceName: string
  sourcePath: string
  sourceSha256: string
}

/** @param environment `any` for commands that only read */
export function runStore(db: Database, environment: string) {
  return {
    receive: (source: NewRun): Promise<{ run: Run; resumed: boolean }> => receiveRun(db, environment, source),
    async find(id: string): Promise<Run | null> {
      const { rows } = await db.query<Run>(`SELECT ${runColumns} FROM run WHERE id = ${uuidOf('$1')}`, [id])
      return rows[0] ?? null
    },
    /** Finds at most five runs by their id or a prefix of it, such as the eight characters in file names. */
    async named(text: string): Promise<string[]> {
      if (!/^[0-9a-f]{8}[0-9a-f-]{0,28}$/i.test(text)) return []
      const { rows } = await db.query<{ id: string }>(
        `SELECT id FROM run WHERE ($1::text IS NULL OR environment = $1) AND starts_with(id::text, lower($2)) ORDER BY received_at, id LIMIT 5`,
        [environment === 'any' ? null : environment, text],
      )
      return rows.map((row) => row.id)
    },
    /** Returns the most recently received runs, most recent first. */
    async list(limit = 20): Promise<Run[]> {
      const { rows } = await db.query<Run>(`SELECT ${runColumns} FROM run ORDER BY received_at DESC, id LIMIT $1`, [
        limit,
      ])
      return rows
    },
    /** Returns a run and the states of its rows as of one instant, so that the totals match. */
    async withStates(runId: string): Promise<{ run: Run; states: StateCounts; surplus: number } | null> {
      const { rows } = await db.query<{ run: Run; states: Record<string, number> | null; surplus: number }>(
        `SELECT row_to_json(r) AS run, c.states, coalesce(c.surplus, 0)::int AS surplus
         FROM (SELECT ${runColumns} FROM run WHERE id = ${uuidOf('$1')}) r CROSS JOIN LATERAL (
           SELECT json_object_agg(n.state, n.rows) AS states, sum(n.surplus) AS surplus
           FROM (SELECT state, sum(rows) AS rows, sum(surplus) AS surplus FROM run_count WHERE run_id = r.id GROUP BY state) n) c`,
        [runId],
      )
      const row = rows[0]
      if (!row) return null
      return { run: row.run, states: Object.assign(noStates(), row.states ?? {}), surplus: row.surplus }
    },
    /**
     * Records that this worker cannot read the run's file. Another worker may be able to.
     * @returns the number of milliseconds for which no worker has been able to read it
     */
    async noteUnreadable(runId: string): Promise<number> {
      const { rows } = await db.query<{ missedMs: number }>(
        `UPDATE run SET missed_at = coalesce(missed_at, clock_timestamp()) WHERE id = $1
         RETURNING (extract(epoch FROM clock_timestamp() - missed_at) * 1000)::float AS "missedMs"`,
        [runId],
      )
      return rows[0]?.missedMs ?? 0
    },
    /** Records that a worker can read the file after all. If that worker dies, the waiting time starts over. */
    async noteReadable(runId: string): Promise<void> {
      await db.query('UPDATE run SET missed_at = NULL WHERE id = $1 AND missed_at IS NOT NULL', [runId])
    },
    /** Refuses a run. Does nothing if the run is no longer waiting to be read. */
    async refuse(runId: string, sentence: string): Promise<void> {
      await db.transaction(async (sql) => {
        // The run is updated before its rows are deleted, because a transaction that publishes it locks it until its
        // rows are in place.
        const refused = await sql.query(
          `UPDATE run SET state = 'refused', refusal = $2, settled_at = clock_timestamp() WHERE id = $1 AND state = 'received'`,
          [runId, sentence],
        )
        if (refused.rowCount > 0) await sql.query('DELETE FROM staged_row WHERE run_id = $1', [runId])
      })
      await removeImages(db)
    },
    async notePaths(runId: string, paths: { results?: string; invalid?: string }): Promise<void> {
      await db.query(
        'UPDATE run SET results_path = coalesce($2, results_path), invalid_path = coalesce($3, invalid_path) WHERE id = $1',
        [runId, paths.results ?? null, paths.invalid ?? null],
      )
    },
    /**
     * Marks runs without open issuances as settled, requests their results, and deletes images that are no longer
     * needed.
     * @returns the ids of the runs that this call settled
     * @throws the database's error if the counts of a run differed from its rows. The rows are then counted again, so
     * that the next call settles the run. The other runs are settled nevertheless
     */
    async settle(): Promise<string[]> {
      const { rows: unsettled } = await db.query<{ id: string; entries: number; settleable: boolean }>(
        `SELECT id, (SELECT count(*) FROM run_count WHERE run_id = run.id) AS entries, ${canSettle} AS settleable
         FROM run WHERE environment = $1 AND settled_at IS NULL AND state = 'published' ORDER BY received_at, id`,
        [environment],
      )
      const settleable = unsettled.filter((each) => each.settleable)
      const long = unsettled.filter((each) => each.settleable || each.entries > maxCountEntries)
      if (long.length > 0) await sumUpCounts(db, long)
      if (settleable.length === 0) return []
      const settled: string[] = []
      let differing: unknown = null
      for (const { id } of settleable)
        try {
          if (await settleRun(db, id)) settled.push(id)
        } catch (error) {
          if ((error as { code?: string }).code !== countsDiffer) throw error
          await recount(db, id)
          differing = error
        }
      if (settled.length > 0) await removeImages(db)
      if (differing) throw differing
      return settled
    },
  }
}

/** Creates a run for a source. If an unfinished run has the same content and pipeline, that run is resumed. */
export async function receiveRun(
  sql: Sql,
  environment: string,
  source: NewRun,
): Promise<{ run: Run; resumed: boolean }> {
  const unfinished = await unfinishedRun(sql, environment, source)
  if (unfinished) {
    // The file may have been moved since then. If the run still has to be read, now or after its approval, it is read
    // from the current path.
    await sql.query(
      `UPDATE run SET source_path = $2, source_name = $3, missed_at = NULL WHERE id = $1 AND state IN ('received', 'braked') AND NOT inbox`,
      [unfinished.id, source.sourcePath, source.sourceName],
    )
    await noteCopy(sql, { environment, pipeline: source.pipeline, runId: unfinished.id, path: null })
    return { run: unfinished, resumed: true }
  }
  const { rows } = await sql.query<Run>(
    `INSERT INTO run (environment, pipeline, source_sha256, source_name, source_path) VALUES ($1, $2, $3, $4, $5) RETURNING ${runColumns}`,
    [environment, source.pipeline, source.sourceSha256, source.sourceName, source.sourcePath],
  )
  return { run: rows[0] as Run, resumed: false }
}

/** Returns the newest unfinished run with the same content and pipeline, or null if there is none. */
export async function unfinishedRun(
  sql: Sql,
  environment: string,
  { pipeline, sourceSha256 }: Pick<NewRun, 'pipeline' | 'sourceSha256'>,
): Promise<Run | null> {
  const { rows } = await sql.query<Run>(
    `SELECT ${runColumns} FROM run
     WHERE environment = $1 AND pipeline = $2 AND source_sha256 = $3 AND state <> 'refused' AND settled_at IS NULL
     ORDER BY received_at DESC LIMIT 1`,
    [environment, pipeline, sourceSha256],
  )
  return rows[0] ?? null
}

const canSettle = `(state = 'published' AND settled_at IS NULL AND NOT adopting AND ${rowsIn('run.id', [...unsentStates, ...watchedStates])} = 0)`

/** The SQLSTATE (integrity_constraint_violation) with which the trigger `run_counts_agree` refuses to settle a run. */
const countsDiffer = '23000'

/** Settles the run, unless an operator is sending one of its rows again. */
function settleRun(db: Database, runId: string): Promise<boolean> {
  return db.transaction(async (sql) => {
    await sql.query('SELECT FROM run WHERE id = $1 FOR NO KEY UPDATE', [runId])
    const { rowCount } = await sql.query(
      `WITH settled AS (UPDATE run SET settled_at = clock_timestamp() WHERE id = $1 AND ${canSettle} RETURNING id, adopts),
       requested AS (
         -- Adopted rows did not come from a list, so no one is waiting for their results.
         INSERT INTO write_back (run_id, target) SELECT id, 'results-file' FROM settled WHERE adopts IS NULL
         ON CONFLICT (run_id, target) DO UPDATE SET wanted = write_back.wanted + 1)
       SELECT id FROM settled`,
      [runId],
    )
    return rowCount > 0
  })
}

/** SQL: converts a text parameter to a run id, or to null if it is not a UUID. */
const uuidOf = (parameter: string) =>
  `(CASE WHEN ${parameter} ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN ${parameter}::text::uuid END)`
