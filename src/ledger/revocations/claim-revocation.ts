// Claims the call of a revocation, and records the outcome of the call. Writes to the database; the call is made
// elsewhere.

import type { Database, Sql } from '#src/platform/database/database.ts'
import {
  type CommittedClaim,
  commitClaim,
  deadlineMarginMs,
  forgottenCallReason,
  knowsClaim,
  stopSending,
} from '../attempts/commit-claim.ts'
import type { Fence } from '../attempts/fence.ts'
import type { AttemptEnd, EndedCall } from '../attempts/outcomes.ts'
import { isEmptied } from '../forgotten-people.ts'
import { type RevocationState, stepWithin } from './revocation.ts'

/** Commits the state `sending`. @returns null when nothing may be sent */
export function claimRevocation(
  db: Database,
  environment: string,
  { id, deadlineMs }: { id: number; deadlineMs: number },
  fence: Fence,
): Promise<CommittedClaim | null> {
  return commitClaim(db, { environment, revocation: id }, async (sql) => {
    await fence.checkInTransaction(sql)
    const claimed = await stepWithin(sql, id, {
      from: ['wanted'],
      set: `state = 'sending', sending_at = clock_timestamp(), ended_at = NULL, deadline_at = clock_timestamp() + make_interval(secs => $3)`,
      values: [(deadlineMs + deadlineMarginMs) / 1_000],
    })
    return claimed?.credentialId ?? null
  })
}

/** Records the outcome of a revocation's call. Stops sending if the ledger has no record of the claim. */
export function endCall(
  db: Database,
  environment: string,
  { id, claim }: { id: number; claim: CommittedClaim },
  end: AttemptEnd,
  to: { state: RevocationState; waitMs: number },
): Promise<EndedCall> {
  return db.transaction(async (sql) => {
    const isKnown = await knowsClaim(sql, environment, claim)
    const revocationExists = isKnown || (await restoreRevocation(sql, id, claim))
    if (!isKnown) await stopSending(sql, environment, forgottenCallReason(`revocation ${id}`, claim, end.class))
    if (!revocationExists) return { rows: 0, found: 'forgotten' }
    // An erasure that is emptying the row has ended after this, or empties what is written now.
    await sql.query('SELECT FROM revocation WHERE id = $1 FOR NO KEY UPDATE', [id])
    // The service may name the person in what it writes.
    const ended = await stepWithin(sql, id, {
      from: ['sending'],
      set: `state = $3, due_at = clock_timestamp() + make_interval(secs => $4), ended_at = clock_timestamp(), outcome = $5, http_status = $6, error_code = $7,
        words = CASE WHEN NOT ${isEmptied('revocation.issuance_id')} THEN $8 END`,
      values: [to.state, to.waitMs / 1_000, end.class, end.status, end.code, end.words],
    })
    if (!ended) return { rows: 0, found: 'late' }
    return { rows: 1, found: isKnown ? 'sending' : 'forgotten' }
  })
}

/**
 * Restores the state `sending` in a ledger that was rolled back to before the claim. Must run inside a transaction.
 * @returns whether the state was restored
 */
async function restoreRevocation(sql: Sql, id: number, { at, what }: CommittedClaim): Promise<boolean> {
  const { rowCount } = await sql.query('SELECT FROM revocation WHERE id = $1 AND credential_id = $2', [id, what])
  if (rowCount === 0) return false
  const set = `state = 'sending', sending_at = $3, ended_at = NULL, deadline_at = clock_timestamp()`
  return (await stepWithin(sql, id, { from: ['wanted'], set, values: [at] })) !== null
}
