// Deliveries: the outcomes that targets receive about each credential. They are stored separately from the issuances,
// so a failed delivery never causes a credential to be issued again. Reads and writes the database; the targets are
// called elsewhere.

import { isEmptied } from '#src/ledger/forgotten-people.ts'
import type { Database } from '#src/platform/database/database.ts'
import { lookUp } from '#src/platform/database/index-lookups.ts'
import { deliveryCounts, refusedTargets } from './delivery-counts.ts'
import {
  accountsOf,
  type DeliveryTarget,
  hasNewLearner,
  isComplete,
  isOfAnother,
  sourceCompletion,
  targetColumns,
} from './delivery-target.ts'

/** The states of an issuance that are delivered to targets. */
export type DeliveredState = 'issued' | 'rejected' | 'failed' | 'held' | 'revoked'

/** What a target shows of a credential. */
export interface ShownCredential {
  issuanceId: number
  wanted: DeliveredState
  credentialId: string | null
  /** The public link to the certificate. */
  verifierLink: string | null
  /** YYYY-MM-DD. */
  issueDate: string | null
  /** YYYY-MM-DD; null when the credential does not expire. */
  validTill: string | null
}

export interface DeliveredCredential extends ShownCredential {
  reason: string | null
  /** When the credential entered the state. */
  since: Date
}

/** An outcome to deliver now, with what a target needs to find the learner and to show the credential. */
export interface DueDelivery extends DeliveredCredential {
  id: number
  pipeline: string
  /** Number of failed attempts so far. */
  tries: number
  /** Whether the last attempt failed in a way that needs an operator's action. */
  refused: boolean
  /** The completion that led to the credential, or to the one that it corrects; null if the row came from a file. */
  completion: LearnerCompletion | null
}

/** The completion that led to a credential. */
export interface LearnerCompletion {
  system: string
  learner: string
  course: string
  completedAt: Date
}

/** A delivery as an operator sees it. */
export interface ShownDelivery {
  target: string
  wanted: string
  state: string
  at: string
  problem: string | null
}

/** The result of a delivery. */
export type DeliveryResult =
  /** `written`: nothing could be read back. `account_deleted`: the learner's account is gone, so nothing is missing. */
  | { kind: 'verified' | 'written' | 'account_deleted' }
  /** Everything that is known has been written, but something that the target must show is not known yet. */
  | { kind: 'incomplete'; problem: string }
  /** `gone`: the target no longer accepts anything, for any learner. */
  | { kind: 'failed'; problem: string; gone?: boolean }
  /** `away`: the target's system does not respond to any request. */
  | { kind: 'later'; problem: string; waitMs: number; refused?: DeliveryRefusal; away?: boolean }

/**
 * An operator has to act before the delivery can succeed. `here`: deliveries about other learners may still succeed.
 */
export interface DeliveryRefusal {
  reach: 'here' | 'everywhere'
  /** The system's error code, if it gives one. */
  code: string | null
}

/** SQL: the assignments that make a delivery `d` due now, as if for the first time. */
export const dueAgainSql = `state = 'pending', gone = false, refused = false, tries = 0, due_at = clock_timestamp(), problem = NULL,
  wanted_at = CASE WHEN d.state = 'pending' THEN d.wanted_at ELSE clock_timestamp() END`

const deliveredStates = `'issued', 'rejected', 'failed', 'held', 'revoked'`

const credentialColumns = `i.credential_id AS "credentialId", i.verifier_link AS "verifierLink", i.issue_date AS "issueDate", i.valid_till AS "validTill", i.reason, i.state_since AS since`

export function deliveryStore(db: Database, environment: string) {
  return {
    /**
     * Makes the outcomes of a run due for each target. An outcome that a target has already received is due again only
     * if an incomplete delivery can now be completed, or the learner has another account.
     */
    request: async (runId: string, targets: readonly DeliveryTarget[]): Promise<void> => {
      await db.query(
        `INSERT INTO delivery AS d (issuance_id, target, wanted)
         SELECT DISTINCT i.id, g.target, i.state FROM run_row r JOIN run ON run.id = r.run_id JOIN issuance i ON i.id = r.issuance_id AND i.pipeline = run.pipeline
         CROSS JOIN unnest($2::text[], $3::boolean[], $4::text[]) g(target, shows_one, learners_of)
         WHERE r.run_id = $1 AND i.state IN (${deliveredStates})
           AND CASE WHEN g.shows_one THEN EXISTS (SELECT FROM ${sourceCompletion('g.learners_of')}) ELSE r.outcome = 'accepted' END
           -- Nothing more is delivered about people whose data are deleted, unless the target knows of them.
           AND (NOT ${isEmptied('i.id')} OR EXISTS (SELECT FROM delivery k WHERE k.issuance_id = i.id AND k.target = g.target))
         ON CONFLICT (issuance_id, target) DO UPDATE SET wanted = excluded.wanted, state = 'pending', refused = false, tries = 0, due_at = clock_timestamp(), wanted_at = clock_timestamp(), problem = CASE WHEN d.gone THEN d.problem END
         WHERE d.wanted <> excluded.wanted OR ${hasNewLearner}
           OR (d.state = 'incomplete' AND EXISTS (SELECT FROM issuance i, unnest($2::text[], $5::text[]) g(target, needs)
                                                 WHERE i.id = d.issuance_id AND g.target = d.target AND ${isComplete('g.needs')}))`,
        [runId, ...targetColumns(targets)],
      )
    },
    /**
     * The next deliveries to a target, at most `limit`. Each is returned once for every account of its learner, the
     * latest account last, because the result of the last one is kept. Credentials whose state has changed since are
     * left out.
     */
    due: async (
      { pipeline, name, learnersOf }: Omit<DeliveryTarget, 'showsOne'>,
      limit: number,
    ): Promise<DueDelivery[]> => {
      const { rows } = await db.query<
        Omit<DueDelivery, 'completion'> & { [Key in keyof LearnerCompletion]: LearnerCompletion[Key] | null }
      >(
        `SELECT d.id, d.issuance_id AS "issuanceId", d.wanted, d.tries, d.refused, c.system, c.learner, c.course, c.completed_at AS "completedAt", ${credentialColumns}, i.pipeline
         FROM (SELECT d.* FROM delivery d JOIN issuance i ON i.id = d.issuance_id
               WHERE i.environment = $1 AND d.target = $2 AND d.state = 'pending' AND d.due_at <= statement_timestamp() AND i.pipeline = $4 AND i.state = d.wanted
               ORDER BY d.due_at, d.id LIMIT $3) d
         JOIN issuance i ON i.id = d.issuance_id LEFT JOIN ${learnersOf === null ? sourceCompletion('$5::text') : accountsOf('$5::text')} ON true
         ORDER BY d.due_at, d.id, c.id`,
        [environment, name, limit, pipeline, learnersOf],
      )
      return rows.map(({ system, learner, course, completedAt, ...due }) => ({
        ...due,
        completion: system && learner && course && completedAt ? { system, learner, course, completedAt } : null,
      }))
    },
    /**
     * The credential that a target with one credential per learner should show: the one of the latest completion whose
     * credential is valid, or of the latest completion if no credential is valid.
     */
    shown: async (pipeline: string, { system, learner }: LearnerCompletion): Promise<DeliveredCredential | null> => {
      const { rows } = await db.query<DeliveredCredential>(
        `WITH RECURSIVE own AS (SELECT r.issuance_id AS id, c.completed_at FROM ${lookUp('completion', 'environment = $1 AND learner = $4')} c
           CROSS JOIN LATERAL ${lookUp('run_row', 'run_id = c.run_id AND row_number = c.row_number')} r WHERE c.pipeline = $2 AND c.system = $3 AND NOT ${isOfAnother}
           UNION SELECT n.id, own.completed_at FROM own CROSS JOIN LATERAL ${lookUp('issuance', 'corrects = own.id')} n)
         SELECT i.id AS "issuanceId", i.state AS wanted, ${credentialColumns} FROM own CROSS JOIN LATERAL ${lookUp('issuance', 'id = own.id')} i
         WHERE i.state IN (${deliveredStates}) ORDER BY i.state = 'issued' DESC, own.completed_at DESC, i.id DESC LIMIT 1`,
        [environment, pipeline, system, learner],
      )
      return rows[0] ?? null
    },
    /** The deliveries about these issuances, whatever their environment, by target. */
    ofIssuances: async (issuances: readonly number[]): Promise<ReadonlyMap<number, ShownDelivery[]>> => {
      const { rows } = await db.query<{ id: number; deliveries: ShownDelivery[] }>(
        `SELECT d.issuance_id AS id, json_agg(json_build_object('target', d.target, 'wanted', d.wanted, 'state', d.state,
                  'at', coalesce(d.written_at, d.wanted_at), 'problem', d.problem) ORDER BY d.target) AS deliveries
         FROM delivery d WHERE d.issuance_id = ANY($1) GROUP BY d.issuance_id`,
        [issuances],
      )
      return new Map(rows.map(({ id, deliveries }) => [id, deliveries]))
    },
    /** Records the result of a delivery. Does nothing if by now a different outcome has to be delivered, or none. */
    note: async ({ id, wanted }: Pick<DueDelivery, 'id' | 'wanted'>, outcome: DeliveryResult): Promise<void> => {
      const state = outcome.kind === 'later' ? 'pending' : outcome.kind
      const problem = 'problem' in outcome ? outcome.problem : null
      const gone = outcome.kind === 'failed' && outcome.gone === true
      // A target that does not respond has not withdrawn its earlier refusal.
      const { refused, away = false } = outcome.kind === 'later' ? outcome : {}
      await db.query(
        `UPDATE delivery SET state = $3, problem = $4, gone = $6, refused = $7 OR $8 AND refused, tries = CASE WHEN $3 = 'pending' THEN tries + 1 ELSE tries END,
           due_at = clock_timestamp() + make_interval(secs => $5),
           written_at = CASE WHEN $3 IN ('written', 'verified', 'incomplete') THEN clock_timestamp() ELSE written_at END,
           verified_at = CASE WHEN $3 = 'verified' THEN clock_timestamp() ELSE verified_at END, looked_at = CASE WHEN $3 = 'verified' THEN clock_timestamp() ELSE looked_at END
         WHERE id = $1 AND wanted = $2 AND state <> 'forgotten'`,
        [id, wanted, state, problem, outcome.kind === 'later' ? outcome.waitMs / 1_000 : 0, gone, !!refused, away],
      )
    },
    /** Makes failed, drifted and incomplete deliveries due again, and pending ones due now. @returns how many */
    again: async (pipeline: string, targets: readonly Pick<DeliveryTarget, 'name'>[]): Promise<number> =>
      (
        await db.query(
          `UPDATE delivery d SET ${dueAgainSql} FROM issuance i
           WHERE i.id = d.issuance_id AND i.environment = $1 AND i.pipeline = $2 AND d.target = ANY($3::text[]) AND d.state <> 'forgotten'
             AND (d.state IN ('incomplete', 'drifted', 'failed') OR d.gone OR d.state = 'pending' AND d.due_at > clock_timestamp())`,
          [environment, pipeline, targets.map(({ name }) => name)],
        )
      ).rowCount,
    /**
     * Makes due the incomplete deliveries that can be completed now. Usually they become due when the missing data
     * arrives; this finds those that were missed, and those whose target must show less since its settings changed.
     */
    complete: async (targets: readonly DeliveryTarget[]): Promise<void> => {
      const [names, , , needs] = targetColumns(targets)
      await db.query(
        `UPDATE delivery d SET ${dueAgainSql} FROM issuance i, unnest($2::text[], $3::text[], $4::text[]) g(pipeline, target, needs)
         WHERE i.id = d.issuance_id AND i.environment = $1 AND i.pipeline = g.pipeline AND d.target = g.target AND d.state = 'incomplete'
           AND i.state = d.wanted AND ${isComplete('g.needs')}`,
        [environment, targets.map(({ pipeline }) => pipeline), names, needs],
      )
    },
    /** Makes due the outcomes that existed before a target was configured. @returns how many */
    requestAll: async (pipeline: string, targets: readonly DeliveryTarget[]): Promise<number> =>
      (
        await db.query(
          `INSERT INTO delivery (issuance_id, target, wanted)
           SELECT i.id, g.target, i.state FROM issuance i CROSS JOIN unnest($3::text[], $4::boolean[], $5::text[]) g(target, shows_one, learners_of)
           WHERE i.environment = $1 AND i.pipeline = $2 AND i.state IN (${deliveredStates}) AND (NOT g.shows_one OR EXISTS (SELECT FROM ${sourceCompletion('g.learners_of')})) AND NOT ${isEmptied('i.id')}
           ON CONFLICT (issuance_id, target) DO NOTHING`,
          [environment, pipeline, ...targetColumns(targets).slice(0, 3)],
        )
      ).rowCount,
    /**
     * Makes refused deliveries due now, because what was refused may have been fixed.
     * @param refusedOnly false for all pending ones
     */
    hurry: async (targets: readonly string[], refusedOnly: boolean): Promise<void> => {
      await db.query(
        `UPDATE delivery d SET due_at = clock_timestamp() FROM issuance i
         WHERE i.id = d.issuance_id AND i.environment = $1 AND d.target = ANY($2::text[]) AND d.state = 'pending'
           AND d.due_at > clock_timestamp() AND (d.refused OR NOT $3)`,
        [environment, targets, refusedOnly],
      )
    },
    /**
     * Postpones all deliveries of a pipeline to a target by `waitMs`.
     * @param refused whether they wait for an operator's action
     */
    postpone: async (pipeline: string, target: string, waitMs: number, refused = false): Promise<void> => {
      await db.query(
        `UPDATE delivery d SET due_at = greatest(d.due_at, clock_timestamp() + make_interval(secs => $4)), refused = d.refused OR $5 FROM issuance i
         WHERE i.id = d.issuance_id AND i.environment = $1 AND i.pipeline = $2 AND d.target = $3 AND d.state = 'pending'`,
        [environment, pipeline, target, waitMs / 1_000, refused],
      )
    },
    /** Why a target no longer accepts deliveries; null while it does. */
    goneReason: async (target: string): Promise<string | null> => {
      const { rows } = await db.query<{ problem: string }>(
        `SELECT d.problem FROM delivery d WHERE d.target = $2 AND d.gone AND EXISTS (SELECT FROM issuance i WHERE i.id = d.issuance_id AND i.environment = $1) LIMIT 1`,
        [environment, target],
      )
      return rows[0]?.problem ?? null
    },
    /**
     * Marks the pending deliveries to a target as failed, if the target is still marked as gone: an operator may have
     * run `events deliver` in the meantime.
     */
    giveUp: async (pipeline: string, target: string, problem: string): Promise<void> => {
      await db.query(
        `UPDATE delivery d SET state = 'failed', problem = $4 FROM issuance i
         WHERE i.id = d.issuance_id AND i.environment = $1 AND i.pipeline = $2 AND d.target = $3 AND d.state = 'pending'
           AND EXISTS (SELECT FROM delivery g JOIN issuance o ON o.id = g.issuance_id WHERE g.target = $3 AND g.gone AND o.environment = $1)`,
        [environment, pipeline, target, problem],
      )
    },
    /** Pipelines with deliveries due at one of their targets. */
    waiting: async (targets: readonly DeliveryTarget[]): Promise<string[]> => {
      const { rows } = await db.query<{ pipeline: string }>(
        `SELECT g.pipeline FROM unnest($2::text[], $3::text[]) g(pipeline, target)
         WHERE EXISTS (SELECT FROM delivery d JOIN issuance i ON i.id = d.issuance_id WHERE d.target = g.target AND d.state = 'pending'
           AND d.due_at <= statement_timestamp() AND i.environment = $1 AND i.pipeline = g.pipeline AND i.state = d.wanted)`,
        [environment, targets.map(({ pipeline }) => pipeline), targets.map(({ name }) => name)],
      )
      return [...new Set(rows.map(({ pipeline }) => pipeline))]
    },
    counts: () => deliveryCounts(db, environment),
    refusedTargets: () => refusedTargets(db, environment),
  }
}
