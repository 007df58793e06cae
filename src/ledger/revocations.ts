// The verbs about revocations. Each is one call with a door of its own: `sending` is committed before anything leaves, and a call whose outcome
// is unknown is decided by the report, or by a person.

import type { Database } from '#src/database/database.ts'
import { carryOut, readyCorrections } from './corrections.ts'
import type { AttemptEnd } from './outcomes.ts'
import { columns, type Revocation, type RevocationState, step } from './revocation.ts'
import { type RevocationTarget, revocationsToDecide, revocationTargets } from './revocation-targets.ts'
import { rowNaming } from './row-naming.ts'
import { changesWaiting } from './waiting-changes.ts'
import { type WantedRevocation, wantRevocation } from './want-revocation.ts'

/** A worker that is alive has written the outcome down by then. */
const deadlineMarginMs = 15_000

export type RevocationVerbs = ReturnType<typeof revocationVerbs>

/** The verbs of one environment. */
export function revocationVerbs(db: Database, environment: string, lostAfterMs: number) {
  const query = async <Row extends object>(sql: string, values: unknown[] = []) =>
    (await db.query<Row>(sql, [environment, ...values])).rows
  return {
    targets: (of: { issuances: readonly number[]; credentials: readonly string[] }): Promise<RevocationTarget[]> =>
      revocationTargets(db, environment, of),
    want: (wanted: WantedRevocation) => db.transaction((sql) => wantRevocation(sql, environment, wanted)),
    find: async (id: number) =>
      (await query<Revocation>(`SELECT ${columns} FROM revocation WHERE environment = $1 AND id = $2`, [id]))[0] ??
      null,
    /** The door. @returns false when it is not wanted (any more): nothing may be sent */
    passDoor: (id: number, deadlineMs: number) =>
      step(db, id, {
        from: ['wanted'],
        set: `state = 'sending', sending_at = clock_timestamp(), ended_at = NULL, deadline_at = clock_timestamp() + make_interval(secs => $3)`,
        values: [(deadlineMs + deadlineMarginMs) / 1_000],
      }),
    end: (id: number, end: AttemptEnd, to: { state: RevocationState; waitMs: number }) =>
      step(db, id, {
        from: ['sending'],
        set: `state = $3, due_at = clock_timestamp() + make_interval(secs => $4), ended_at = clock_timestamp(), outcome = $5, http_status = $6, error_code = $7, words = $8`,
        values: [to.state, to.waitMs / 1_000, end.class, end.status, end.code, end.words],
      }),
    /** Calls whose worker has died: that is an unknown outcome. */
    lose: async () =>
      (
        await query<{ id: number }>(
          `WITH lost AS (
             UPDATE revocation SET state = 'unconfirmed', ended_at = clock_timestamp(), outcome = 'unknown', error_code = 'WORKER_DIED',
               words = 'the worker ended while the call was under way', due_at = clock_timestamp()
             WHERE environment = $1 AND state = 'sending' AND deadline_at < clock_timestamp() RETURNING id, issuance_id),
           told AS (
             INSERT INTO history (issuance_id, event, evidence) SELECT issuance_id, 'revocation unconfirmed', jsonb_build_object('revocation', id, 'code', 'WORKER_DIED')
             FROM lost WHERE issuance_id IS NOT NULL)
           SELECT id FROM lost ORDER BY id`,
        )
      ).map((row) => row.id),
    /**
     * What a full reading of the report has shown, or a revocation in the portal, settles a revocation too: also one that came to nothing, where a
     * correction waits for it.
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
    /** The report was asked. @param to null: it stays, and is looked for again after `waitMs` */
    noteLook: async (id: number, look: { to: RevocationState | null; doubt: string | null; waitMs: number }) => {
      const set = `looked_at = clock_timestamp(), doubt = $3, due_at = clock_timestamp() + make_interval(secs => $4), asked_at = NULL`
      const values = [look.doubt, look.waitMs / 1_000]
      const from: RevocationState[] = ['unconfirmed', 'accepted', 'refused']
      if (look.to === null)
        await db.query(`UPDATE revocation SET ${set} WHERE id = $1 AND state = ANY($2)`, [id, from, ...values])
      else await step(db, id, { from, set: `state = $5, ${set}`, values: [...values, look.to] })
    },
    /** Something went wrong with it: it is tried again after `waitMs`. */
    postpone: async (id: number, waitMs: number) =>
      void (await db.query(
        'UPDATE revocation SET due_at = clock_timestamp() + make_interval(secs => $2), asked_at = NULL WHERE id = $1',
        [id, waitMs / 1_000],
      )),
    /** Those with something to do now. */
    due: async () =>
      (
        await query<{ id: number }>(
          `SELECT id FROM revocation WHERE environment = $1 AND due_at <= clock_timestamp() AND state IN ('wanted', 'unconfirmed', 'accepted') ORDER BY id`,
        )
      ).map((row) => row.id),
    /** Whether due or not. */
    open: async () =>
      (
        await query<{ id: number }>(
          `SELECT id FROM revocation WHERE environment = $1 AND state IN ('wanted', 'sending', 'unconfirmed', 'accepted') ORDER BY id`,
        )
      ).map((row) => row.id),
    /** True when one has something to do and nobody was asked lately. Also where only the issuing of a correction is left. */
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
    rowNaming: (runId: string, row: number, issuanceId: number) =>
      rowNaming(db, environment, { runId, row, issuanceId }),
    toDecide: () => revocationsToDecide(db, environment),
    changesWaiting: (of: { run?: string } = {}) => changesWaiting(db, environment, of),
  }
}
