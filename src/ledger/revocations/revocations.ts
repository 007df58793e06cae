// Revocations. Each is one call with its own claim: `sending` is committed before the call is made, and a call of
// unknown outcome is settled by the report or by an operator. Reads and writes the database; the call is made
// elsewhere.

import type { Database } from '#src/platform/database/database.ts'
import type { CommittedClaim } from '../attempts/commit-claim.ts'
import type { Fence } from '../attempts/fence.ts'
import type { AttemptEnd } from '../attempts/outcomes.ts'
import { namingRow } from '../runs/naming-row.ts'
import type { RowsFromElsewhere } from '../runs/rows-from-elsewhere.ts'
import { type ChangeFilter, waitingChanges } from '../runs/waiting-changes.ts'
import { claimRevocation, endCall } from './claim-revocation.ts'
import { carryOut, readyCorrections } from './corrections.ts'
import { type RequestedRevocation, requestRevocation } from './request-revocation.ts'
import { type Revocation, type RevocationState, revocationColumns, step } from './revocation.ts'
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
    /** The last revocation of a credential; null if nobody ever wanted one. */
    lastOf: async (credentialId: string) =>
      (
        await query<Revocation>(
          `SELECT ${revocationColumns} FROM revocation WHERE environment = $1 AND credential_id = $2 ORDER BY id DESC LIMIT 1`,
          [credentialId],
        )
      )[0] ?? null,
    /**
     * Commits `sending` for a revocation before its call is made.
     * @returns null when nothing may be sent: the revocation is not (or no longer) in state `wanted`, or sending is
     * stopped
     * @throws LedgerTooNewError when a newer version has migrated the ledger
     */
    claim: (id: number, deadlineMs: number) => claimRevocation(db, environment, { id, deadlineMs }, fence),
    end: (
      call: { id: number; claim: CommittedClaim },
      end: AttemptEnd,
      to: { state: RevocationState; waitMs: number },
    ) => endCall(db, environment, call, end, to),
    /** Gives calls whose worker has died an unknown outcome. */
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
     * Settles revocations whose credential the report shows as revoked, perhaps because somebody revoked it in the
     * portal. Includes failed revocations that a correction is waiting for.
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
     * @param look.to the new state; null if the state stays the same and the search is repeated after `waitMs`
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
    /** Revocations with work to do now. */
    due: async () =>
      (
        await query<{ id: number }>(
          `SELECT id FROM revocation WHERE environment = $1 AND due_at <= clock_timestamp() AND state IN ('wanted', 'unconfirmed', 'accepted') ORDER BY id`,
        )
      ).map((row) => row.id),
    /** All open revocations, whether or not they are due. */
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
