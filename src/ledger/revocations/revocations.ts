// The ledger's functions for revocations and corrections. Each revocation is one call with its own claim: the state
// `sending` is committed before the call is made. A call with an unknown outcome is settled by the report or by an
// operator. Reads and writes the database; the call is made elsewhere.

import {
  type CommittedClaim,
  commitClaim,
  deadlineMarginMs,
  forgottenCallReason,
  knowsClaim,
  stopSending,
} from '#src/ledger/attempts/commit-claim.ts'
import type { Fence } from '#src/ledger/attempts/fence.ts'
import type { AttemptEnd, EndedCall } from '#src/ledger/attempts/outcomes.ts'
import { isEmptied } from '#src/ledger/forgotten-people.ts'
import type { RowsFromElsewhere } from '#src/ledger/runs/rows-from-elsewhere.ts'
import { type ChangeFilter, waitingChanges } from '#src/ledger/runs/waiting-changes.ts'
import type { Database, Sql } from '#src/platform/database/database.ts'
import { carryOut, readyCorrections } from './corrections.ts'
import { type RequestedRevocation, requestRevocation } from './request-revocation.ts'
import { type Revocation, type RevocationState, revocationColumns, step, stepWithin } from './revocation.ts'
import { type RevocationTarget, revocationsToDecide, revocationTargets } from './revocation-targets.ts'

export type RevocationStore = ReturnType<typeof revocationStore>

export function revocationStore(
  db: Database,
  environment: string,
  lostAfterMs: number,
  fence: Fence,
  elsewhere: Pick<RowsFromElsewhere, 'occasions'>,
) {
  const query = async <Row extends object>(sql: string, values: unknown[] = []) =>
    (await db.query<Row>(sql, [environment, ...values])).rows
  return {
    targets: (ids: { issuances: readonly number[]; credentials: readonly string[] }): Promise<RevocationTarget[]> =>
      revocationTargets(db, environment, ids, elsewhere),
    request: (wanted: RequestedRevocation) => db.transaction((sql) => requestRevocation(sql, environment, wanted)),
    find: async (id: number) =>
      (
        await query<Revocation>(`SELECT ${revocationColumns} FROM revocation WHERE environment = $1 AND id = $2`, [id])
      )[0] ?? null,
    /** Returns the last revocation of a credential, or null if none was ever requested. */
    lastOf: async (credentialId: string) =>
      (
        await query<Revocation>(
          `SELECT ${revocationColumns} FROM revocation WHERE environment = $1 AND credential_id = $2 ORDER BY id DESC LIMIT 1`,
          [credentialId],
        )
      )[0] ?? null,
    /**
     * Commits `sending` for a revocation before its call is made.
     * @returns null if nothing may be sent, because the revocation is not (or no longer) in state `wanted` or sending
     * is stopped
     * @throws LedgerTooNewError if a newer version has migrated the ledger
     */
    claim: (id: number, deadlineMs: number) => claimRevocation(db, environment, { id, deadlineMs }, fence),
    end: (
      call: { id: number; claim: CommittedClaim },
      end: AttemptEnd,
      to: { state: RevocationState; waitMs: number },
    ) => endCall(db, environment, call, end, to),
    /** Records an unknown outcome for calls whose worker has died. */
    markLost: async () =>
      void (await query(
        `WITH lost AS (
           UPDATE revocation SET state = 'unconfirmed', ended_at = clock_timestamp(), outcome = 'unknown', error_code = 'WORKER_DIED',
             words = 'the worker ended while the call was under way', due_at = clock_timestamp()
           WHERE environment = $1 AND state = 'sending' AND deadline_at < clock_timestamp() RETURNING id, issuance_id),
         noted AS (
           INSERT INTO history (issuance_id, event, evidence) SELECT issuance_id, 'revocation unconfirmed', jsonb_build_object('revocation', id, 'code', 'WORKER_DIED')
           FROM lost WHERE issuance_id IS NOT NULL)
         SELECT FROM lost`,
      )),
    /**
     * Settles revocations whose credential the report shows as revoked, even if someone revoked it in the portal.
     * Includes failed revocations with a waiting correction.
     */
    noteRevoked: async () =>
      void (await query(
        `WITH seen AS (
           UPDATE revocation r SET state = 'seen', doubt = NULL FROM issuance i
           WHERE r.environment = $1 AND i.id = r.issuance_id AND i.state = 'revoked'
             AND (r.state IN ('wanted', 'unconfirmed', 'accepted') OR (r.state IN ('refused', 'not_applied') AND r.correction IS NOT NULL))
           RETURNING r.id, r.issuance_id)
         INSERT INTO history (issuance_id, event, evidence) SELECT issuance_id, 'revocation seen', jsonb_build_object('revocation', id) FROM seen`,
      )),
    /**
     * Records that the report was searched for the credential.
     * @param look.to the new state, or null if the state stays the same and the search is repeated after `waitMs`
     */
    noteCheck: async (id: number, look: { to: RevocationState | null; doubt: string | null; waitMs: number }) => {
      const set = `looked_at = clock_timestamp(), doubt = $3, due_at = clock_timestamp() + make_interval(secs => $4), asked_at = NULL`
      const values = [look.doubt, look.waitMs / 1_000]
      const from: RevocationState[] = ['unconfirmed', 'accepted', 'refused']
      if (look.to === null)
        await db.query(`UPDATE revocation SET ${set} WHERE id = $1 AND state = ANY($2)`, [id, from, ...values])
      else await step(db, id, { from, set: `state = $5, ${set}`, values: [...values, look.to] })
    },
    /** Makes a revocation due again after `waitMs`, because processing it failed. */
    postpone: async (id: number, waitMs: number) =>
      void (await db.query(
        'UPDATE revocation SET due_at = clock_timestamp() + make_interval(secs => $2), asked_at = NULL WHERE id = $1',
        [id, waitMs / 1_000],
      )),
    /** Returns revocations with work that is due. */
    due: async () =>
      (
        await query<{ id: number }>(
          `SELECT id FROM revocation WHERE environment = $1 AND due_at <= clock_timestamp() AND state IN ('wanted', 'unconfirmed', 'accepted') ORDER BY id`,
        )
      ).map((row) => row.id),
    /** Returns all open revocations, whether or not they are due. */
    open: async () =>
      (
        await query<{ id: number }>(
          `SELECT id FROM revocation WHERE environment = $1 AND state IN ('wanted', 'sending', 'unconfirmed', 'accepted') ORDER BY id`,
        )
      ).map((row) => row.id),
    /**
     * Returns true if a revocation has work to do and no job was enqueued for it recently. Corrections that are ready
     * to be issued count as work.
     */
    take: async () =>
      (
        await query(
          `UPDATE revocation SET asked_at = clock_timestamp()
           WHERE environment = $1 AND (asked_at IS NULL OR asked_at < clock_timestamp() - make_interval(secs => $2))
             AND ((state IN ('wanted', 'unconfirmed', 'accepted') AND due_at <= clock_timestamp())
               OR (state = 'sending' AND deadline_at < clock_timestamp())
               OR (correction IS NOT NULL AND (state IN ('accepted', 'seen')
                 OR (state IN ('refused', 'not_applied') AND EXISTS (SELECT FROM issuance i WHERE i.id = issuance_id AND i.state = 'revoked'))))) RETURNING id`,
          [lostAfterMs / 1_000],
        )
      ).length > 0,
    readyCorrections: () => readyCorrections(db, environment),
    carryOut: (id: number) => db.transaction((sql) => carryOut(sql, environment, id)),
    namingRow: (runId: string, row: number, issuanceId: number) =>
      namingRow(db, environment, { runId, row, issuanceId }),
    toDecide: () => revocationsToDecide(db, environment),
    waitingChanges: (filter: ChangeFilter = {}) => waitingChanges(db, environment, filter),
  }
}

/** Commits the state `sending` before the call of a revocation is made. @returns null if nothing may be sent */
function claimRevocation(
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
function endCall(
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
    // After this lock, an erasure of the row has either ended or will also delete what is written here.
    await sql.query('SELECT FROM revocation WHERE id = $1 FOR NO KEY UPDATE', [id])
    // The service's message may name the person, so it is not stored after an erasure.
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

/** A row of a source that refers to a known issuance, whose data can be used to correct the issuance. */
interface NamingRow {
  cells: string[]
  /** The name of the row's source. */
  source: string
  /** SHA-256 of the row's image, if it differs from the issuance's. */
  image: Buffer | null
  /** Whether the ledger still has that image. */
  imageKept: boolean
}

/** @returns null if the row does not refer to the issuance */
async function namingRow(
  sql: Sql,
  environment: string,
  { runId, row, issuanceId }: { runId: string; row: number; issuanceId: number },
): Promise<NamingRow | null> {
  const { rows } = await sql.query<NamingRow>(
    `SELECT r.cells, run.source_name AS source, CASE WHEN r.image_sha256 IS DISTINCT FROM i.image_sha256 THEN r.image_sha256 END AS image,
            EXISTS (SELECT FROM image m WHERE m.sha256 = r.image_sha256) AS "imageKept"
     FROM run_row r JOIN run ON run.id = r.run_id JOIN issuance i ON i.id = r.issuance_id
     WHERE run.environment = $1 AND r.run_id = $2 AND r.row_number = $3 AND r.issuance_id = $4 AND r.forgotten_at IS NULL`,
    [environment, runId, row, issuanceId],
  )
  return rows[0] ?? null
}
