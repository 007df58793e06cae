// Pages of runs for the console, newest first, each found by the last run of the page before it, so that no page counts
// a long list. Reads the database only.

import type { StateCounts } from '#src/domain/credential/state.ts'
import { exactTime, readCursor } from '#src/ledger/exact-time.ts'
import type { Run } from '#src/ledger/runs/runs.ts'
import type { Database } from '#src/platform/database/database.ts'

/** Pipelines to which a page is limited; null for all. */
export type PipelineScope = readonly string[] | null

export type RunPhase = 'open' | 'braked' | 'settled' | 'refused'

export interface RunFilter {
  scope: PipelineScope
  pipeline?: string | undefined
  phase?: RunPhase | undefined
  /** Received from this instant on. */
  from?: Date | undefined
  /** Part of the name of the source. */
  name?: string | undefined
}

/** What a list of runs shows of each. */
export interface ListedRun
  extends Pick<
    Run,
    | 'id'
    | 'pipeline'
    | 'sourceName'
    | 'sourcePath'
    | 'state'
    | 'rows'
    | 'invalid'
    | 'skipped'
    | 'accepted'
    | 'changed'
    | 'refusal'
    | 'waits'
    | 'receivedAt'
    | 'publishedAt'
    | 'settledAt'
  > {
  /** Null for a list. */
  origin: 'adoption' | 'correction' | null
  brakedBecause: string | null
  states: Partial<StateCounts>
  /** Where the next page begins. */
  cursor: string
}

const listedColumns = `run.id, run.pipeline, run.source_name AS "sourceName", run.source_path AS "sourcePath", run.state, run.rows, run.invalid, run.skipped,
  run.accepted, run.changed, run.refusal, run.waits_because AS waits, run.received_at AS "receivedAt", run.published_at AS "publishedAt",
  run.settled_at AS "settledAt", run.braked_because AS "brakedBecause",
  CASE WHEN run.adopts IS NOT NULL THEN 'adoption' WHEN run.corrects IS NOT NULL THEN 'correction' END AS origin,
  ${exactTime('run.received_at')} || ' ' || run.id AS cursor,
  coalesce((SELECT json_object_agg(state, n) FROM (SELECT state, sum(rows) AS n FROM run_count WHERE run_id = run.id GROUP BY state) c), '{}') AS states`

const phases: Record<RunPhase, string> = {
  open: `run.settled_at IS NULL AND run.state IN ('received', 'published')`,
  braked: `run.settled_at IS NULL AND run.state = 'braked'`,
  settled: `run.settled_at IS NOT NULL AND run.state = 'published'`,
  refused: `run.state = 'refused'`,
}

/**
 * SQL: the runs of one pipeline, in the order of `newestOfPipeline`. Comparing whole rows leaves only the index that
 * begins with the pipeline: with one of all runs, all of them would be searched for a pipeline that has none.
 */
const runsOf = (pipeline: string) =>
  `(run.environment, run.pipeline, run.received_at) >= ($1, ${pipeline}, '-infinity') AND (run.environment, run.pipeline, run.received_at) <= ($1, ${pipeline}, 'infinity')`
const newestOfPipeline = 'run.environment DESC, run.pipeline DESC, run.received_at DESC'
const newest = 'run.received_at DESC, run.id DESC'

/** Text that ILIKE takes literally. */
const literally = (text: string) => text.replace(/[\\%_]/g, '\\$&')

export function runPageStore(db: Database, environment: string) {
  /** Those of the runs that belong to this environment and to one of the pipelines. */
  async function visible(runs: readonly string[], scope: PipelineScope): Promise<string[]> {
    const { rows } = await db.query<{ id: string }>(
      'SELECT id FROM run WHERE id = ANY($2::uuid[]) AND environment = $1 AND ($3::text[] IS NULL OR pipeline = ANY($3)) ORDER BY received_at, id',
      [environment, runs, scope],
    )
    return rows.map(({ id }) => id)
  }
  return {
    /** @param before the `cursor` of the last run of the page before */
    async page(filter: RunFilter, { before, limit }: { before: string | null; limit: number }): Promise<ListedRun[]> {
      const { scope, pipeline, phase } = filter
      const all = pipeline === undefined ? scope : scope === null || scope.includes(pipeline) ? [pipeline] : []
      const values: unknown[] = [environment, limit, all]
      const conditions: string[] = []
      const where = (condition: (parameter: string) => string, value: unknown) => {
        if (value === undefined || value === null) return
        values.push(value)
        conditions.push(` AND ${condition(`$${values.length}`)}`)
      }
      where((at) => `run.received_at >= ${at}`, filter.from)
      where((name) => `run.source_name ILIKE ${name}`, filter.name && `%${literally(filter.name)}%`)
      if (phase) conditions.push(` AND ${phases[phase]}`)
      const [at, id] = readCursor(before, /^(\S{27}) ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/) ?? []
      if (at && id) {
        values.push(at, id)
        conditions.push(
          ` AND (run.received_at, run.id) < ($${values.length - 1}::timestamptz, $${values.length}::uuid)`,
        )
      }
      // Those of the other phases are few, and have indexes of their own.
      const isLong = phase === undefined || phase === 'settled'
      const from =
        all === null || !isLong
          ? `(SELECT * FROM run WHERE environment = $1 AND ($3::text[] IS NULL OR pipeline = ANY($3))${conditions.join('')} ORDER BY ${newest} LIMIT $2) run`
          : `unnest($3::text[]) AS p(name) CROSS JOIN LATERAL (
               SELECT * FROM run WHERE ${runsOf('p.name')}${conditions.join('')} ORDER BY ${newestOfPipeline}, run.id DESC LIMIT $2) run`
      const { rows } = await db.query<ListedRun>(
        `SELECT ${listedColumns} FROM ${from} ORDER BY ${newest} LIMIT $2`,
        values,
      )
      return rows
    },
    /** The last list of each of these pipelines that has any. */
    async lastLists(pipelines: readonly string[]): Promise<ListedRun[]> {
      const { rows } = await db.query<ListedRun>(
        `SELECT r.* FROM unnest($2::text[]) WITH ORDINALITY AS p(name, place) CROSS JOIN LATERAL (
           SELECT ${listedColumns} FROM run WHERE ${runsOf('p.name')} AND adopts IS NULL AND corrects IS NULL
           ORDER BY ${newestOfPipeline} LIMIT 1) r ORDER BY p.place`,
        [environment, pipelines],
      )
      return rows
    },
    /** Runs that are open, the newest first: received, being sent, or braked. */
    async unsettled(scope: PipelineScope, limit: number): Promise<ListedRun[]> {
      const { rows } = await db.query<ListedRun>(
        `SELECT ${listedColumns} FROM run WHERE environment = $1 AND settled_at IS NULL AND ($2::text[] IS NULL OR pipeline = ANY($2))
         ORDER BY received_at DESC LIMIT $3`,
        [environment, scope, limit],
      )
      return rows
    },
    visible,
    /** Whether the run belongs to this environment and to one of the pipelines. */
    isVisible: async (run: string, scope: PipelineScope): Promise<boolean> =>
      /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(run) && (await visible([run], scope)).length > 0,
  }
}
