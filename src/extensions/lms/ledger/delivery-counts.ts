// Counts the deliveries to targets by state, for `credsync events` and `status`. Reads the database only.

import type { Sql } from '#src/platform/database/database.ts'

/** The deliveries of a pipeline to one target, counted by state. */
export interface DeliveryCounts {
  pipeline: string
  target: string
  pending: number
  /** Pending deliveries whose last attempt failed in a way that needs an operator's action. */
  refused: number
  written: number
  verified: number
  /** Everything that is known has been delivered. The rest follows when the report shows it. */
  incomplete: number
  /** Verified earlier, but changed at the target since then. */
  drifted: number
  failed: number
  /** The learner's account was deleted, so nothing is delivered any more. */
  accountDeleted: number
  /** The latest problem of a delivery that has failed, has drifted, is incomplete or is pending. */
  problem: string | null
}

/** Targets that refused what has to be delivered, until an operator acts; `problem` is a sentence without values. */
export async function refusedTargets(sql: Sql, environment: string): Promise<{ target: string; problem: string }[]> {
  const { rows } = await sql.query<{ target: string; problem: string }>(
    `SELECT d.target, max(d.problem) AS problem FROM delivery d JOIN issuance i ON i.id = d.issuance_id
     WHERE d.state = 'pending' AND d.refused AND d.problem IS NOT NULL AND i.environment = $1 GROUP BY 1 ORDER BY 1`,
    [environment],
  )
  return rows
}

export async function deliveryCounts(sql: Sql, environment: string): Promise<DeliveryCounts[]> {
  const states = ['pending', 'written', 'verified', 'incomplete', 'drifted', 'failed']
  const counts = states.map((state) => `count(*) FILTER (WHERE d.state = '${state}')::int AS ${state}`)
  const { rows } = await sql.query<DeliveryCounts>(
    `SELECT i.pipeline, d.target, ${counts.join(', ')}, count(*) FILTER (WHERE d.state = 'pending' AND d.refused)::int AS refused,
            count(*) FILTER (WHERE d.state = 'account_deleted')::int AS "accountDeleted",
            (array_agg(d.problem ORDER BY d.due_at DESC) FILTER (WHERE d.problem IS NOT NULL))[1] AS problem
     FROM delivery d JOIN issuance i ON i.id = d.issuance_id WHERE $1 IN (i.environment, 'any') GROUP BY 1, 2 ORDER BY 1, 2`,
    [environment],
  )
  return rows
}
