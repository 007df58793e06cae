// Reads from the ledger what notices are decided from: lists and their outcomes, what waits for a person, and what does
// not work. Contains counts, rules and our own sentences, but no recipients. Reads the database only.

import { type State, unsentStates } from '#src/domain/credential/state.ts'
import type { Database, Sql } from '#src/platform/database/database.ts'
import { type CoursePause, pauses } from '../attempts/courses.ts'
import { currentStops, type Stop } from '../attempts/sending-stops.ts'
import { revocationsToDecide } from '../revocations/revocation-targets.ts'
import { rowsIn } from '../runs/run-counts.ts'
import { countWaitingChanges } from '../runs/waiting-changes.ts'
import { type Obstacle, obstaclesOf } from '../workers/obstacles.ts'

/** A list whose rows are sent. */
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

/** The newest list of a pipeline that was refused, with those refused just before it. */
export interface Refusals {
  pipeline: string
  lists: number
  since: Date
  run: string
  source: string
  sentence: string
}

/** Rows or lists of a pipeline that share something, and since when the oldest does. */
export interface WaitingCount {
  pipeline: string
  count: number
  since: Date
}

/** A part that has a problem. */
export interface Trouble {
  subject: string
  pipeline: string | null
  problem: string
  since: Date | null
}

/** A list that came, or the last completion. */
export interface Arrival {
  pipeline: string
  at: Date
  /** Null if it was not read yet. */
  rows: number | null
}

export interface NoticeReadings {
  lists: SentList[]
  refusals: Refusals[]
  held: WaitingCount[]
  braked: WaitingCount[]
  /** Revocations that need a person's decision. */
  revocations: number
  /** Rows of lists that differ from an issued credential, and wait for a correction. */
  changes: WaitingCount[]
  stops: Pick<Stop, 'since' | 'reason'>[]
  obstacles: Obstacle[]
  /** Rows that are not final; `since` is when the oldest was read. */
  open: WaitingCount[]
  /** Seconds by which the next reading of the report is late, while a row waits for one. */
  reportOverdueS: number
  pauses: CoursePause[]
  troubles: Trouble[]
  /** Learning systems that do not answer. */
  systemsAway: Trouble[]
  arrivals: Arrival[]
}

/** What is read in addition for some notices only. */
export interface ReadingScope {
  /** Lists that came before this are not summarized; null if nobody wants summaries. */
  summarizeFrom: Date | null
  /** Pipelines that expect lists, each with the time from which its lists are needed. */
  expecting: readonly { pipeline: string; from: Date; completions: boolean }[]
  now: Date
}

/** Each statement is cancelled after this long. Notices must never keep the database from its work. */
const statementTimeoutMs = 10_000
/** Lists older than this are not summarized any more, whatever became of them. */
const summarizedDays = 30
const maxLists = 200

export function readForNotices(db: Database, environment: string, scope: ReadingScope): Promise<NoticeReadings> {
  return db.transaction(async (sql) => {
    await sql.query(`SET LOCAL statement_timeout = ${statementTimeoutMs}`)
    const select = async <Row extends object>(text: string, ...values: unknown[]) =>
      (await sql.query<Row>(text, [environment, ...values])).rows
    const [report] = await select<{ overdueS: number }>(overdueSql)
    return {
      lists: scope.summarizeFrom ? await sentLists(sql, environment, scope.summarizeFrom, scope.now) : [],
      refusals: await select(refusalsSql),
      held: await select(
        `SELECT pipeline, count(*) AS count, min(state_since) AS since FROM issuance WHERE environment = $1 AND state = 'held' GROUP BY 1`,
      ),
      braked: await select(
        `SELECT pipeline, count(*) AS count, min(braked_at) AS since FROM run WHERE environment = $1 AND state = 'braked' GROUP BY 1`,
      ),
      revocations: (await revocationsToDecide(sql, environment)).length,
      changes: await countWaitingChanges(sql, environment),
      stops: await currentStops(sql, environment),
      obstacles: await obstaclesOf(sql, environment),
      open: await select(openSql),
      reportOverdueS: report?.overdueS ?? 0,
      pauses: await pauses(sql, environment),
      troubles: await select(troublesSql),
      systemsAway: await select(
        `SELECT system AS subject, NULL AS pipeline, coalesce(away_because, '') AS problem, away_since AS since
         FROM learning_system WHERE environment = $1 AND watched AND away_since IS NOT NULL`,
      ),
      arrivals: await arrivals(sql, environment, scope.expecting),
    }
  }, 'repeatable read')
}

const overdueSql = `
  SELECT CASE WHEN EXISTS (SELECT FROM issuance WHERE environment = $1 AND state IN ('unconfirmed', 'requested', 'in_progress'))
         THEN coalesce((SELECT greatest(0, extract(epoch FROM clock_timestamp() - due_at))::float FROM poller WHERE environment = $1), 0)
         ELSE 0 END AS "overdueS"`

// A pipeline's refusals end with the next list of it that is read.
const refusalsSql = `
  SELECT p.pipeline, r.lists, r.since, last.id AS run, last.source_name AS source, CASE WHEN last.rejected_at IS NULL THEN coalesce(last.refusal, '') ELSE 'An operator rejected it.' END AS sentence
  FROM (SELECT DISTINCT pipeline FROM run WHERE environment = $1 AND received_at > clock_timestamp() - interval '90 days') p,
  LATERAL (SELECT max(received_at) AS at FROM run WHERE environment = $1 AND pipeline = p.pipeline AND state IN ('published', 'braked')
             AND NOT adopting AND adopts IS NULL AND corrects IS NULL) good,
  LATERAL (SELECT count(*) AS lists, min(settled_at) AS since FROM run WHERE environment = $1 AND pipeline = p.pipeline AND state = 'refused'
             AND received_at > coalesce(good.at, '-infinity') AND received_at > clock_timestamp() - interval '90 days') r,
  LATERAL (SELECT id, source_name, refusal, rejected_at FROM run WHERE environment = $1 AND pipeline = p.pipeline AND state = 'refused'
           ORDER BY received_at DESC LIMIT 1) last
  WHERE r.lists > 0`

// Two conditions, because each matches a partial index.
const openSql = `
  SELECT o.pipeline, count(*) AS count, min(run.published_at) AS since FROM (
    SELECT run_id, pipeline FROM issuance WHERE environment = $1 AND state = 'pending'
    UNION ALL SELECT run_id, pipeline FROM issuance WHERE environment = $1 AND state IN ('sending', 'unconfirmed', 'requested', 'in_progress')) o
  JOIN run ON run.id = o.run_id WHERE run.published_at IS NOT NULL GROUP BY 1`

const troublesSql = `
  SELECT 'archive' AS subject, pipeline, problem, NULL::timestamptz AS since FROM archive WHERE environment = $1 AND watched AND problem IS NOT NULL
  UNION ALL SELECT 'inbox', pipeline, problem, NULL FROM inbox_look WHERE environment = $1 AND problem IS NOT NULL
  UNION ALL SELECT 'system ' || system, NULL, problem, NULL FROM learning_system WHERE environment = $1 AND watched AND problem IS NOT NULL AND away_since IS NULL
  UNION ALL SELECT 'results', r.pipeline, count(*) || ' results files are waiting to be written', min(r.settled_at)
    FROM write_back w JOIN run r ON r.id = w.run_id
    WHERE r.environment = $1 AND w.told < w.wanted AND r.settled_at < clock_timestamp() - interval '1 hour'
      AND coalesce(w.told_at, '-infinity') < clock_timestamp() - interval '1 hour' GROUP BY r.pipeline
  UNION ALL SELECT 'delivery', i.pipeline, count(*) || ' outcomes wait until a learning system accepts them; \`credsync events\` says why', min(t.wanted_at)
    FROM tell t JOIN issuance i ON i.id = t.issuance_id WHERE i.environment = $1 AND t.state = 'pending' AND t.refused GROUP BY i.pipeline`

// A summary says where the results are, but does not wait for them for long.
const hasResults = `(r.settled_at < clock_timestamp() - interval '10 minutes'
  OR NOT EXISTS (SELECT FROM write_back w WHERE w.run_id = r.id AND w.told < w.wanted))`

async function sentLists(sql: Sql, environment: string, from: Date, now: Date): Promise<SentList[]> {
  const earliest = new Date(Math.max(from.getTime(), now.getTime() - summarizedDays * 86_400_000))
  const { rows } = await sql.query<SentList>(
    `SELECT r.id AS run, r.pipeline, r.source_name AS source, r.rows, r.accepted, r.invalid, r.skipped, r.changed,
            r.published_at AS "publishedAt", CASE WHEN ${hasResults} THEN r.settled_at END AS "settledAt", r.results_path AS "resultsPath", r.invalid_path AS "invalidPath",
            coalesce((SELECT json_object_agg(state, n) FROM (SELECT state, sum(c.rows) AS n FROM run_count c WHERE c.run_id = r.id GROUP BY state HAVING sum(c.rows) <> 0) s), '{}') AS states
     FROM run r WHERE r.environment = $1 AND r.state = 'published' AND r.adopts IS NULL AND r.corrects IS NULL AND r.received_at >= $2
       AND ${rowsIn('r.id', unsentStates)} = 0
       AND NOT EXISTS (SELECT FROM notice n WHERE n.environment = $1 AND n.key = 'summary ' || r.id AND n.recovered_at IS NOT NULL)
     ORDER BY r.received_at LIMIT ${maxLists}`,
    [environment, earliest],
  )
  return rows
}

async function arrivals(sql: Sql, environment: string, expecting: ReadingScope['expecting']): Promise<Arrival[]> {
  const found: Arrival[] = []
  for (const { pipeline, from, completions } of expecting) {
    const text = completions
      ? 'SELECT pipeline, max(heard_at) AS at, NULL AS rows FROM completion WHERE environment = $1 AND pipeline = $2 AND heard_at >= $3 GROUP BY 1'
      : `SELECT pipeline, received_at AS at, CASE state WHEN 'published' THEN rows WHEN 'braked' THEN would_accept END AS rows
         FROM run WHERE environment = $1 AND pipeline = $2 AND received_at >= $3 AND state <> 'refused' AND adopts IS NULL AND corrects IS NULL
         ORDER BY received_at DESC LIMIT 1000`
    found.push(...(await sql.query<Arrival>(text, [environment, pipeline, from])).rows)
  }
  return found.sort((a, b) => a.at.getTime() - b.at.getTime())
}
