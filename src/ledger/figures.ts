// How much of what is in the ledger: figures for those who watch a worker, of one environment. Their cost grows with what is open, and hardly
// with what is settled. No person, file or id is in them.

import type { Database, Sql } from '#src/database/database.ts'
import type { State } from '#src/issuance/state.ts'
import { figuresOfLearning, type LearningFigures } from './figures-of-learning.ts'
import { figuresOfWork, type WorkFigures } from './figures-of-work.ts'

export interface RowFigures {
  pipeline: string
  state: State
  rows: number
  /** Of those that are pending: how many could go now. */
  due: number
  /** Seconds since the one that is longest in this state came into it; null where nobody waits for it to leave. */
  inStateS: number | null
  /** Seconds since the run of the oldest was published; null likewise. */
  oldestS: number | null
}

export interface RunFigures {
  pipeline: string
  /** `open` was published and is not settled; `adopting` is an adoption that is to be finished. */
  state: 'received' | 'braked' | 'adopting' | 'open' | 'settled' | 'refused'
  runs: number
}

export interface LedgerFigures extends WorkFigures {
  rows: RowFigures[]
  runs: RunFigures[]
  learning: LearningFigures
}

/** For each statement. A database that takes longer has other troubles than to be asked for figures. */
const longestMs = 5_000

/** All figures as they stand in one moment. */
export function readFigures(database: Database, environment: string): Promise<LedgerFigures> {
  return database.transaction(async (sql) => {
    await sql.query(`SET LOCAL statement_timeout = ${longestMs}`)
    const runs = await runFigures(sql, environment)
    const rows = await unsettledRows(sql, environment)
    return {
      runs: runs.map(({ pipeline, state, runs }) => ({ pipeline, state, runs })),
      rows: withIssued(runs, [...rows, ...(await restingRows(sql, environment))]),
      ...(await figuresOfWork(sql, environment)),
      learning: await figuresOfLearning(sql, environment),
    }
  }, 'repeatable read')
}

async function runFigures(sql: Sql, environment: string): Promise<(RunFigures & { accepted: number })[]> {
  const { rows } = await sql.query<RunFigures & { accepted: number }>(
    `SELECT pipeline, CASE WHEN state <> 'published' THEN state WHEN adopting THEN 'adopting' WHEN settled_at IS NULL THEN 'open' ELSE 'settled' END AS state,
            count(*) AS runs, sum(accepted) AS accepted
     FROM run WHERE environment = $1 GROUP BY 1, 2`,
    [environment],
  )
  return rows
}

// Each set of states has an index that holds it alone; one question for all of them would read the whole table.
const underWay = [
  "state = 'pending'",
  "state IN ('sending', 'unconfirmed', 'requested', 'in_progress')",
  "state = 'held'",
]

async function unsettledRows(sql: Sql, environment: string): Promise<RowFigures[]> {
  const { rows } = await sql.query<RowFigures>(
    underWay
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

async function restingRows(sql: Sql, environment: string): Promise<RowFigures[]> {
  const { rows } = await sql.query<RowFigures>(
    `SELECT pipeline, state, count(*) AS rows, 0 AS due, NULL::float AS "inStateS", NULL::float AS "oldestS" FROM issuance
     WHERE environment = $1 AND state IN ('failed', 'rejected', 'revoked') GROUP BY 1, 2`,
    [environment],
  )
  return rows
}

/** Every issuance counts among the accepted rows of its run, for ever: the ledger's own triggers hold that. */
function withIssued(runs: readonly { pipeline: string; accepted: number }[], others: RowFigures[]): RowFigures[] {
  const issued = new Map<string, number>()
  for (const { pipeline, accepted } of runs) issued.set(pipeline, (issued.get(pipeline) ?? 0) + Number(accepted))
  for (const { pipeline, rows } of others) issued.set(pipeline, (issued.get(pipeline) ?? 0) - rows)
  return [
    ...others,
    ...[...issued].map(([pipeline, rows]) => ({
      pipeline,
      state: 'issued' as const,
      rows,
      due: 0,
      inStateS: null,
      oldestS: null,
    })),
  ]
}
