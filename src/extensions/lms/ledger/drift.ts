// Drift: every night, deliveries that were verified at a target are checked again. Stores when a check is due and what
// it found. Reads and writes the database; the targets are read elsewhere.

import type { Database } from '#src/platform/database/database.ts'
import { lookUp } from '#src/platform/database/index-lookups.ts'
import { dueAgainSql, type ShownCredential } from './deliveries.ts'
import { sourceCompletion } from './delivery-target.ts'

/** A delivery, with what its target should show. */
export interface VerifiedDelivery extends ShownCredential {
  id: number
  pipeline: string
  /**
   * Pending and incomplete deliveries are not checked, but they count when the order of the deliveries is determined.
   */
  state: 'verified' | 'drifted' | 'incomplete' | 'pending'
}

/**
 * Everything that was delivered to one learner's profile. The pipeline that delivered last comes first, and within a
 * pipeline the credential that its field should show (`shown` in deliveries.ts).
 */
export interface LearnerToCheck {
  learner: string
  deliveries: VerifiedDelivery[]
}

/** `same`: as delivered. `again`: has to be delivered again. `other`: an operator has to decide. */
export type DriftFinding = { found: 'same' } | { found: 'again' } | { found: 'other'; problem: string }

/** A nightly check ends after this many hours. Learners whom it did not reach come first in the next check. */
const maxCheckHours = 4

export function driftStore(db: Database, environment: string, lostAfterMs: number) {
  const thisSystem = 'environment = $1 AND system = $2'
  return {
    /** Systems to check now. Each is returned once, and again when its job seems to be lost. */
    take: async (): Promise<string[]> => {
      const { rows } = await db.query<{ system: string }>(
        `UPDATE learning_system SET look_asked_at = clock_timestamp()
         WHERE environment = $1 AND watched AND look_at <= clock_timestamp()
           AND (look_asked_at IS NULL OR look_asked_at < clock_timestamp() - make_interval(secs => $2)) RETURNING system`,
        [environment, lostAfterMs / 1_000],
      )
      return rows.map(({ system }) => system)
    },
    /** Begins or resumes a check. False if no check is due. */
    begin: async (system: string): Promise<boolean> => {
      const { rowCount } = await db.query(
        `UPDATE learning_system SET look_began_at = coalesce(look_began_at, clock_timestamp()), look_asked_at = clock_timestamp()
         WHERE ${thisSystem} AND look_at <= clock_timestamp()`,
        [environment, system],
      )
      return rowCount > 0
    },
    /** Ends a check, because no learners are left or its time has run out. */
    end: async (system: string, nextAt: Date): Promise<void> => {
      await db.query(
        `UPDATE learning_system SET look_at = $3, look_began_at = NULL, look_asked_at = NULL WHERE ${thisSystem} AND look_began_at IS NOT NULL`,
        [environment, system, nextAt],
      )
    },
    /** Interrupts a check because the system is unavailable. It resumes after `waitMs`. */
    postpone: async (system: string, waitMs: number): Promise<void> => {
      await db.query(
        `UPDATE learning_system SET look_at = clock_timestamp() + make_interval(secs => $3), look_asked_at = NULL WHERE ${thisSystem} AND look_began_at IS NOT NULL`,
        [environment, system, waitMs / 1_000],
      )
    },
    /**
     * Learners of the target who were not checked since this check began: those of the `limit` deliveries that were
     * checked longest ago.
     */
    due: async (system: string, target: string, limit: number): Promise<LearnerToCheck[]> => {
      const { rows } = await db.query<LearnerToCheck>(
        `WITH RECURSIVE due AS (
           SELECT DISTINCT c.learner FROM (
             SELECT i.* FROM learning_system s
             JOIN delivery d ON d.target = $3 AND d.state IN ('verified', 'drifted') AND d.looked_at < s.look_began_at
             JOIN issuance i ON i.id = d.issuance_id AND i.environment = $1
             WHERE s.environment = $1 AND s.system = $2 AND s.look_began_at > clock_timestamp() - interval '${maxCheckHours} hours'
             ORDER BY d.looked_at LIMIT $4) i
           JOIN ${sourceCompletion('$2')} ON true),
         own AS (
           SELECT due.learner, r.issuance_id AS id, c.completed_at FROM due CROSS JOIN LATERAL ${lookUp('completion', 'environment = $1 AND learner = due.learner')} c
           CROSS JOIN LATERAL ${lookUp('run_row', 'run_id = c.run_id AND row_number = c.row_number')} r WHERE c.system = $2
           UNION SELECT own.learner, n.id, own.completed_at FROM own CROSS JOIN LATERAL ${lookUp('issuance', 'corrects = own.id')} n),
         delivered AS (
           SELECT o.learner, o.completed_at, d.id AS delivery, d.state AS delivery_state, d.wanted, i.*, max(d.verified_at) OVER (PARTITION BY o.learner, i.pipeline) AS last_verified
           FROM (SELECT learner, id, max(completed_at) AS completed_at FROM own GROUP BY 1, 2) o CROSS JOIN LATERAL ${lookUp('issuance', 'id = o.id')} i
           JOIN delivery d ON d.issuance_id = i.id AND d.target = $3 AND d.state IN ('verified', 'drifted', 'incomplete', 'pending'))
         SELECT learner, json_agg(json_build_object('id', delivery, 'issuanceId', id, 'pipeline', pipeline, 'state', delivery_state, 'wanted', wanted,
                  'credentialId', credential_id, 'verifierLink', verifier_link, 'issueDate', issue_date, 'validTill', valid_till)
                  ORDER BY last_verified DESC, pipeline, state = 'issued' DESC, completed_at DESC, id DESC) AS deliveries
         FROM delivered GROUP BY learner`,
        [environment, system, target, limit],
      )
      return rows
    },
    /** Records what a check found. Does nothing if a different outcome has to be delivered by now. */
    note: async ({ id, wanted }: Pick<VerifiedDelivery, 'id' | 'wanted'>, finding: DriftFinding): Promise<void> => {
      const isStillWanted = `id = $1 AND wanted = $2 AND state IN ('verified', 'drifted')`
      if (finding.found === 'again') {
        await db.query(`UPDATE delivery d SET ${dueAgainSql} WHERE ${isStillWanted}`, [id, wanted])
        return
      }
      await db.query(
        `UPDATE delivery SET state = $3, problem = $4, looked_at = clock_timestamp() WHERE ${isStillWanted}`,
        finding.found === 'other' ? [id, wanted, 'drifted', finding.problem] : [id, wanted, 'verified', null],
      )
    },
  }
}
