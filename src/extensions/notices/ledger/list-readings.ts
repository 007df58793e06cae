// Reads from the ledger what notices say about lists: those that are sent, those that were refused, and when lists and
// completions came. Reads the database only.

import { type State, unsentStates } from '#src/domain/credential/state.ts'
import { rowsIn } from '#src/ledger/runs/run-counts.ts'
import type { Sql } from '#src/platform/database/database.ts'

/** A list whose rows are sent, and whose summary is to be made. */
export interface SentList {
  run: string
  pipeline: string
  source: string
  rows: number
  accepted: number
  invalid: number
  skipped: number
  changed: number
  states: Partial<Record<State, number>>
  publishedAt: Date
  /** When its last row came to rest; null while it has open rows, or its results are still to be written. */
  settledAt: Date | null
  resultsPath: string | null
  invalidPath: string | null
}

/** The newest list of a pipeline, if it was refused, with those refused just before it. */
export interface Refusals {
  pipeline: string
  lists: number
  since: Date
  run: string
  source: string
  /** The path of its file, whose name may differ from `source`. */
  path: string
  sentence: string
  receivedAt: Date
}

/** A refused list that nobody was notified of. */
export interface RefusedList {
  run: string
  pipeline: string
  source: string
  /** The path of its file, whose name may differ from `source`. */
  path: string
  sentence: string
  refusedAt: Date
}

/** A list that came and was not refused, or an exact copy of one, or the last completion. */
export interface Arrival {
  pipeline: string
  at: Date
  /** Null if it was not read yet. */
  rows: number | null
  /** Null for a completion. A copy has the run of the first one. */
  run: string | null
}

/** A pipeline that expects lists or completions, and the time from which they are needed. */
export interface Expecting {
  pipeline: string
  from: Date
  completions: boolean
}

/** Older lists are not reported for the first time any more. */
const reportedDays = 30
/** The others follow in the next round. */
const maxLists = 200
const maxRefusals = 1_000
const maxArrivals = 1_000

// A summary says where the results are, but does not wait for them for long.
const hasResults = `(r.settled_at < clock_timestamp() - interval '10 minutes'
  OR NOT EXISTS (SELECT FROM write_back w WHERE w.run_id = r.id AND w.written < w.wanted))`

/** SQL: how many rows of a run are in each state. @param run SQL for the run's id */
export const statesOf = (run: string) => `coalesce((
  SELECT jsonb_object_agg(state, n) FROM (SELECT state, sum(counts.rows) AS n FROM run_count counts WHERE counts.run_id = ${run} GROUP BY state HAVING sum(counts.rows) <> 0) s), '{}')`

const listColumns = `r.id, r.pipeline, r.source_name, r.rows, r.accepted, r.invalid, r.skipped, r.changed, r.published_at, r.received_at, r.results_path, r.invalid_path,
  CASE WHEN ${hasResults} THEN r.settled_at END AS settled_at`

/**
 * Lists with a summary to be made: the first one when all rows are sent, the last one when they are settled.
 * @param from lists that came before this have no first summary
 */
export async function sentLists(sql: Sql, environment: string, from: Date, now: Date): Promise<SentList[]> {
  const { rows } = await sql.query<SentList>(
    `SELECT r.id AS run, r.pipeline, r.source_name AS source, r.rows, r.accepted, r.invalid, r.skipped, r.changed,
            r.published_at AS "publishedAt", r.settled_at AS "settledAt", r.results_path AS "resultsPath", r.invalid_path AS "invalidPath",
            ${statesOf('r.id')} AS states
     FROM (
       SELECT ${listColumns} FROM run r
       WHERE r.environment = $1 AND r.received_at >= $2 AND r.summarized_at IS NULL AND r.state = 'published' AND r.adopts IS NULL AND r.corrects IS NULL
         AND NOT EXISTS (SELECT FROM notice n WHERE n.environment = $1 AND n.key = 'summary ' || r.id AND n.recovered_at IS NULL)
         AND ${rowsIn('r.id', unsentStates)} = 0
       UNION ALL
       SELECT ${listColumns} FROM (SELECT (facts->>'run')::uuid AS run FROM notice WHERE environment = $1 AND kind = 'summary' AND recovered_at IS NULL) n
       -- OFFSET 0 makes the planner look each run up by its id, and not by its environment.
       CROSS JOIN LATERAL (SELECT * FROM run WHERE id = n.run OFFSET 0) r
       WHERE r.environment = $1 AND r.settled_at IS NOT NULL AND ${hasResults}) r
     ORDER BY r.received_at LIMIT ${maxLists}`,
    [environment, earliest(from, now)],
  )
  return rows
}

const earliest = (from: Date, now: Date) =>
  new Date(Math.max(from.getTime(), now.getTime() - reportedDays * 86_400_000))

/** Refused lists to be reported, the oldest first. @param from those that were refused before this are not */
export async function refusedLists(sql: Sql, environment: string, from: Date, now: Date): Promise<RefusedList[]> {
  const { rows } = await sql.query<RefusedList>(
    `SELECT r.id AS run, r.pipeline, r.source_name AS source, r.source_path AS path, ${sentenceOf('r')} AS sentence, r.settled_at AS "refusedAt"
     FROM run r WHERE r.environment = $1 AND r.state = 'refused' AND r.refusal_noted_at IS NULL AND r.settled_at >= $2
     ORDER BY r.settled_at, r.id LIMIT ${maxLists}`,
    [environment, earliest(from, now)],
  )
  return rows
}

/** A pipeline's refusals end with the next list of it that is taken, unless all of its rows are invalid. */
export async function refusals(sql: Sql, environment: string, pipelines: readonly string[]): Promise<Refusals[]> {
  const found: Refusals[] = []
  for (const pipeline of pipelines)
    found.push(...(await sql.query<Refusals>(refusalsSql, [environment, pipeline])).rows)
  return found
}

/** SQL: why a run was refused. */
const sentenceOf = (run: string) =>
  `CASE WHEN ${run}.rejected_at IS NULL THEN coalesce(${run}.refusal, '') ELSE 'An operator rejected it.' END`

const isList = 'adopts IS NULL AND corrects IS NULL'
const isAccepted = `(state = 'braked' OR (state = 'published' AND invalid < rows)) AND ${isList}`

const ofPipeline = `environment = $1 AND pipeline = $2 AND ${isList}`
const refusalsSql = `
  SELECT last.pipeline, r.lists, r.since, last.id AS run, last.source_name AS source, last.source_path AS path, last.received_at AS "receivedAt",
         ${sentenceOf('last')} AS sentence
  FROM (SELECT coalesce((
    SELECT received_at FROM run WHERE environment = $1 AND pipeline = $2 AND ${isAccepted}
    ORDER BY received_at DESC LIMIT 1), '-infinity') AS at OFFSET 0) good
  CROSS JOIN LATERAL (SELECT * FROM run WHERE ${ofPipeline} AND state = 'refused' AND received_at > good.at ORDER BY received_at DESC LIMIT 1) last
  CROSS JOIN LATERAL (SELECT count(*) AS lists, min(settled_at) AS since FROM (
    SELECT settled_at FROM run WHERE ${ofPipeline} AND state = 'refused' AND received_at > good.at ORDER BY received_at DESC LIMIT ${maxRefusals}) recent) r`

export async function arrivals(sql: Sql, environment: string, expecting: readonly Expecting[]): Promise<Arrival[]> {
  const found: Arrival[] = []
  for (const { pipeline, from, completions } of expecting) {
    const text = completions
      ? `SELECT $2 AS pipeline, found_at AS at, NULL AS rows, NULL AS run FROM completion WHERE environment = $1 AND pipeline = $2 AND found_at >= $3 ORDER BY found_at DESC LIMIT 1`
      : `SELECT $2 AS pipeline, at, CASE state WHEN 'published' THEN rows WHEN 'braked' THEN would_accept END AS rows, id AS run
         FROM (
           (SELECT received_at AS at, id, state, rows, would_accept FROM run WHERE ${ofPipeline} AND received_at >= $3
            ORDER BY received_at DESC LIMIT ${maxArrivals})
           UNION ALL
           (SELECT c.at, r.id, r.state, r.rows, r.would_accept
            FROM (SELECT run_id, at FROM list_copy WHERE environment = $1 AND pipeline = $2 AND at >= $3 ORDER BY at DESC LIMIT ${maxArrivals}) c
            CROSS JOIN LATERAL (SELECT * FROM run WHERE id = c.run_id OFFSET 0) r)) came WHERE state <> 'refused'`
    found.push(...(await sql.query<Arrival>(text, [environment, pipeline, from])).rows)
  }
  return found.sort((a, b) => a.at.getTime() - b.at.getTime())
}
