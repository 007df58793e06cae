// Commits a claim before every call that changes something in the service. A claim is durable in the database before
// its call is made, and claims are numbered in the order of their commits. Also stops all further claims, and records
// the reason.

import type { ClaimNumber } from '#src/domain/credential/high-water-mark.ts'
import type { Database, Sql } from '#src/platform/database/database.ts'

export interface CommittedClaim extends ClaimNumber {
  /** When the claim was made, by the database's clock. */
  at: Date
  /** The token of the previous claim, or null if there is none. */
  before: string | null
  /**
   * Describes what was sent. An id would not be enough, because a ledger that was rolled back may use the same id
   * again.
   */
  what: string
}

/**
 * Added to a call's own deadline. By the end of this margin, a worker that is still running has recorded the outcome.
 */
export const deadlineMarginMs = 15_000

/** Thrown in the transaction of a claim while sending is stopped. */
class SendingStoppedSignal extends Error {}

/**
 * Commits a claim. `markSending` marks what is to be sent and returns a description of it, or null if it must no longer
 * be sent.
 * @returns null if nothing may be sent. If `markSending` returned null, its changes are committed. If sending is
 * stopped, nothing is committed
 */
export async function commitClaim(
  database: Database,
  subject: { environment: string; attempt?: number; revocation?: number },
  markSending: (sql: Sql) => Promise<string | null>,
): Promise<CommittedClaim | null> {
  try {
    return await database.transaction(async (sql) => {
      // If a crash of the server could undo the claim, the call might be made twice. The setting remote_apply is kept,
      // because it is stricter than `on`.
      await sql.query(
        `SELECT set_config('synchronous_commit', 'on', true) WHERE current_setting('synchronous_commit') NOT IN ('on', 'remote_apply')`,
      )
      const what = await markSending(sql)
      return what === null ? null : { ...(await numberClaim(sql, subject)), what }
    })
  } catch (error) {
    if (error instanceof SendingStoppedSignal) return null
    throw error
  }
}

/**
 * Numbers the claim. Must run last in its transaction, because all other claims wait for the counter until then.
 * @throws SendingStoppedSignal while sending is stopped
 */
async function numberClaim(
  sql: Sql,
  { environment, attempt, revocation }: { environment: string; attempt?: number; revocation?: number },
): Promise<Omit<CommittedClaim, 'what'>> {
  const { rows } = await sql.query<Omit<CommittedClaim, 'what'>>(
    `WITH counted AS (
       INSERT INTO claim_counter (environment, number, token) VALUES ($1, 1, gen_random_uuid())
       ON CONFLICT (environment) DO UPDATE SET number = claim_counter.number + 1, token = excluded.token, token_before = claim_counter.token
         WHERE NOT claim_counter.stopped
       RETURNING number, era, token, token_before)
     INSERT INTO claim (environment, number, era, token, attempt_id, revocation_id)
     SELECT $1, number, era, token, $2, $3 FROM counted
     RETURNING number, era, token, at, (SELECT token_before FROM counted) AS before`,
    [environment, attempt ?? null, revocation ?? null],
  )
  if (!rows[0]) throw new SendingStoppedSignal()
  return rows[0]
}

/** Returns whether this ledger contains the claim. */
export async function knowsClaim(sql: Sql, environment: string, { number, token }: ClaimNumber): Promise<boolean> {
  const { rowCount } = await sql.query('SELECT FROM claim WHERE environment = $1 AND number = $2 AND token = $3', [
    environment,
    number,
    token,
  ])
  return rowCount > 0
}

/** Stops all claims after this commit. @returns false if sending was already stopped */
export async function stopSending(sql: Sql, environment: string, reason: string): Promise<boolean> {
  const { rowCount } = await sql.query(
    `WITH shut AS (
       INSERT INTO claim_counter (environment, stopped) VALUES ($1, true) ON CONFLICT (environment) DO UPDATE SET stopped = true)
     INSERT INTO sending_stop (environment, reason) VALUES ($1, $2) ON CONFLICT (environment) WHERE ended_at IS NULL DO NOTHING`,
    [environment, reason],
  )
  return rowCount > 0
}

/** Returns the reason for a sending stop if a call has an outcome but the ledger has no record of the call. Pure. */
export function forgottenCallReason(what: string, { number, at }: CommittedClaim, outcome: string): string {
  return `${what} has an outcome (${outcome}), but the ledger has no record that it was sent (call ${number}, ${at.toISOString()}): the ledger was rolled back, for example by a failover or a crash`
}
