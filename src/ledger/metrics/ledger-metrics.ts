// Reads the metrics of the ledger's contents for one environment. The cost of the queries grows with the number of open
// rows, but hardly with the number of settled ones. The metrics contain no personal data, file names or ids.

import type { State } from '#src/domain/credential/state.ts'
import type { Database, Sql } from '#src/platform/database/database.ts'
import { readWorkMetrics, type WorkMetrics } from './work-metrics.ts'

export interface RowMetrics {
  pipeline: string
  state: State
  rows: number
  /** Pending rows that could be sent now. */
  due: number
  /** Seconds that the oldest row has been in this state; null for states that rows are not expected to leave. */
  inStateS: number | null
  /** Seconds since the run of the oldest row was published; null for the same states. */
  oldestS: number | null
}

export interface RunMetrics {
  pipeline: string
  /** `open` means published but not settled. `adopting` means the run of an unfinished adoption. */
  state: 'received' | 'braked' | 'adopting' | 'open' | 'settled' | 'refused'
  runs: number
}

export interface LedgerMetrics extends WorkMetrics {
  rows: RowMetrics[]
  runs: RunMetrics[]
}

/** The timeout of each statement. A database that needs longer has bigger problems than missing metrics. */
const statementTimeoutMs = 5_000

/**
 * Reads all metrics as of one instant.
 * @param readMore reads further values as of the same instant
 */
export function readLedgerMetrics<More extends object>(
  database: Database,
  environment: string,
  readMore: (sql: Sql) => Promise<More>,
): Promise<LedgerMetrics & More> {
  return database.transaction(async (sql) => {
    await sql.query(`SET LOCAL statement_timeout = ${statementTimeoutMs}`)
    const runs = await readRunMetrics(sql, environment)
    const rows = await unsettledRows(sql, environment)
    return {
      runs: runs.map(({ pipeline, state, runs }) => ({ pipeline, state, runs })),
      rows: withIssued(runs, [...rows, ...(await settledRows(sql, environment))]),
      ...(await readWorkMetrics(sql, environment)),
      ...(await readMore(sql)),
    }
  }, 'repeatable read')
}

async function readRunMetrics(sql: Sql, environment: string): Promise<(RunMetrics & { accepted: number })[]> {
  const { rows } = await sql.query<RunMetrics & { accepted: number }>(
    `SELECT pipeline, CASE WHEN state <> 'published' THEN state WHEN adopting THEN 'adopting' WHEN settled_at IS NULL THEN 'open' ELSE 'settled' END AS state,
            count(*) AS runs, sum(accepted) AS accepted
     FROM run WHERE environment = $1 GROUP BY 1, 2`,
    [environment],
  )
  return rows
}

// Each condition matches a partial index. A single query for all of the states would read the whole table.
const unsettledStates = [
  "state = 'pending'",
  "state IN ('sending', 'unconfirmed', 'requested', 'in_progress')",
  "state = 'held'",
]

async function unsettledRows(sql: Sql, environment: string): Promise<RowMetrics[]> {
  const { rows } = await sql.query<RowMetrics>(
    unsettledStates
      .map(
        (states) =>
          `SELECT i.pipeline, i.state, count(*) AS rows, count(*) FILTER (WHERE i.state = 'pending' AND i.due_at <= clock_timestamp()) AS due,
                  extract(epoch FROM clock_timestamp() - min(i.state_since))::float AS "inStateS",
                  extract(epoch FROM clock_timestamp() - min(run.published_at))::float AS "oldestS"
           FROM issuance i JOIN run ON run.id = i.run_id WHERE i.environment = $1 AND i.${states} GROUP BY 1, 2`,
      )
      .join(' UNION ALL '),
    [environment],
  )
  return rows
}

async function settledRows(sql: Sql, environment: string): Promise<RowMetrics[]> {
  const { rows } = await sql.query<RowMetrics>(
    `SELECT pipeline, state, count(*) AS rows, 0 AS due, NULL::float AS "inStateS", NULL::float AS "oldestS" FROM issuance
     WHERE environment = $1 AND state IN ('failed', 'rejected', 'revoked') GROUP BY 1, 2`,
    [environment],
  )
  return rows
}

/**
 * Adds the issued rows, calculated as all accepted rows less those in other states. This is exact, because the ledger's
 * triggers ensure that every issuance stays counted among the accepted rows of its run. Pure.
 */
function withIssued(runs: readonly { pipeline: string; accepted: number }[], others: RowMetrics[]): RowMetrics[] {
  const issued = new Map<string, number>()
  for (const { pipeline, accepted } of runs) issued.set(pipeline, (issued.get(pipeline) ?? 0) + Number(accepted))
  for (const { pipeline, rows } of others) issued.set(pipeline, (issued.get(pipeline) ?? 0) - rows)
  const rest = { state: 'issued', due: 0, inStateS: null, oldestS: null } as const
  return [...others, ...[...issued].map(([pipeline, rows]) => ({ ...rest, pipeline, rows }))]
}
