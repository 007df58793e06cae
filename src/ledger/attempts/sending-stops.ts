// Compares the ledger with the high-water marks kept outside it, and stops sending if they do not match. Also lets an
// operator allow sending again. Reads and writes the database.

import { type ClaimNumber, reasonNotToSend, type Witness } from '#src/domain/credential/high-water-mark.ts'
import type { Database, Sql } from '#src/platform/database/database.ts'
import { serverIdentity } from '#src/platform/database/server-identity.ts'
import type { OperatorDecision } from '../operator-decision.ts'
import { stopSending } from './commit-claim.ts'

export interface Stop {
  id: number
  environment: string
  since: Date
  /** A clause for messages, without a period at the end. */
  reason: string
}

export interface MarkComparison {
  /** The last claim; number 0 if there is none. */
  last: ClaimNumber & { at: Date }
  /** The stop that prevents sending, or null if sending is allowed. */
  stop: Stop | null
  /** Whether this comparison stopped sending. */
  isNew: boolean
  /** The system identifier and timeline of the database server, or null if our account is not allowed to read them. */
  system: string | null
}

export function sendingStopStore(db: Database, environment: string) {
  return {
    /**
     * Compares the ledger with its marks, and stops sending if one of them names a claim that the ledger does not
     * contain.
     */
    async compare(witnesses: readonly Witness[]): Promise<MarkComparison> {
      const system = await serverIdentity(db)
      return db.transaction(async (sql) => {
        const { last, doubt } = await doubtOf(sql, environment, witnesses)
        const isNew = doubt !== null && (await stopSending(sql, environment, doubt))
        const [stop = null] = await currentStops(sql, environment)
        return { last, stop, isNew, system }
      })
    },
    /**
     * Returns the reason why `compare` would stop sending, or null. Writes nothing, so read-only commands can use it.
     */
    doubt: async (witnesses: readonly Witness[]) => (await doubtOf(db, environment, witnesses)).doubt,
    /** Returns the current stops, of every environment if the ledger is opened for `any`. */
    stops: () => currentStops(db, environment),
    /** Allows sending again after an operator's decision. Marks from before the decision no longer count. */
    trust: (decision: OperatorDecision) =>
      db.transaction(async (sql) => {
        await sql.query(
          `UPDATE sending_stop SET ended_at = clock_timestamp(), ended_by = $2, ended_why = $3 WHERE environment = $1 AND ended_at IS NULL`,
          [environment, decision.by, decision.why],
        )
        await sql.query('UPDATE claim_counter SET stopped = false, era = era + 1 WHERE environment = $1', [environment])
      }),
  }
}

/**
 * Returns the last claim and, as `doubt`, the reason why the marks suggest that the ledger has lost claims, or null if
 * they do not.
 */
async function doubtOf(sql: Sql, environment: string, witnesses: readonly Witness[]) {
  const last = await lastClaim(sql, environment)
  const known = await knownTokens(sql, environment, witnesses)
  const knows = ({ token }: ClaimNumber) => known.has(token)
  return { last, doubt: reasonNotToSend(witnesses, { era: last.era, knows }) }
}

async function lastClaim(sql: Sql, environment: string): Promise<MarkComparison['last']> {
  const { rows } = await sql.query<MarkComparison['last']>(
    `SELECT coalesce(n.era, 0) AS era, coalesce(c.number, 0) AS number, coalesce(c.token::text, '') AS token, coalesce(c.at, clock_timestamp()) AS at
     FROM (SELECT $1::text AS environment) e LEFT JOIN claim_counter n USING (environment)
     LEFT JOIN claim c ON c.environment = e.environment AND c.number = n.number`,
    [environment],
  )
  return rows[0] as MarkComparison['last']
}

/** Returns the tokens of those marks whose claim the ledger contains. */
async function knownTokens(sql: Sql, environment: string, witnesses: readonly Witness[]): Promise<Set<string>> {
  const marks = witnesses.flatMap(({ mark }) => (mark && mark.number > 0 ? [mark] : []))
  if (marks.length === 0) return new Set()
  const { rows } = await sql.query<{ token: string }>(
    `SELECT c.token FROM unnest($2::bigint[], $3::text[]) AS m(number, token)
     JOIN claim c ON c.environment = $1 AND c.number = m.number AND c.token::text = m.token`,
    [environment, marks.map(({ number }) => number), marks.map(({ token }) => token)],
  )
  return new Set(rows.map(({ token }) => token))
}

/** Returns the sending stops that no operator has lifted. @param environment `any` for every environment */
export async function currentStops(sql: Sql, environment: string): Promise<Stop[]> {
  const { rows } = await sql.query<Stop>(
    `SELECT id, environment, since, reason FROM sending_stop WHERE ended_at IS NULL AND ($1 = 'any' OR environment = $1) ORDER BY environment`,
    [environment],
  )
  return rows
}
