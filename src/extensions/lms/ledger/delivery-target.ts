// The type of a delivery target, and SQL that finds the completion by which a target identifies a learner. Pure: builds
// SQL and parameters, and does not run anything.

import { lookUp } from '#src/platform/database/index-lookups.ts'
import { isForgottenSql } from './forget-learners.ts'

/** Where a pipeline's outcomes are delivered. */
export interface DeliveryTarget {
  pipeline: string
  name: string
  /** Whether it shows one credential for each learner. It then receives only outcomes of people with a completion. */
  showsOne: boolean
  /** The learning system whose learner ids it uses; null for any. */
  learnersOf: string | null
  /** What it must show of an issued credential, if anything: link, issued (the day) or credential (the id). */
  needs?: readonly string[]
}

/** Four arrays of query parameters: names, `showsOne`, `learnersOf`, and the needs for `isComplete`. */
export const targetColumns = (targets: readonly DeliveryTarget[]) => [
  targets.map(({ name }) => name),
  targets.map(({ showsOne }) => showsOne),
  targets.map(({ learnersOf }) => learnersOf),
  targets.map(({ needs = [] }) => needs.join(' ')),
]

/** SQL: whether the ledger has everything of issuance i that a target must show. `expires` is never required. */
export const isComplete = (needs: string) =>
  `(${[
    ['credential', 'credential_id'],
    ['link', 'verifier_link'],
    ['issued', 'issue_date'],
  ]
    .map(([what, column]) => `(i.${column} IS NOT NULL OR '${what}' <> ALL(string_to_array(${needs}, ' ')))`)
    .join(' AND ')})`

/**
 * SQL: whether row r may be about somebody else than its issuance, whose person was erased. Such a row keeps its
 * learner, to whom the credential of the erased person must not be delivered.
 */
export const isOfAnother = `(r.changed_fields IS NOT NULL AND EXISTS (SELECT FROM erased_issuance e WHERE e.issuance_id = r.issuance_id))`

/**
 * SQL: the completions of issuance i and of those that it corrects. Skipped rows count as well: their people already
 * had the credential. A learner who was forgotten has no account.
 */
const completionsOf = (system: string) => `
  WITH RECURSIVE line AS (SELECT i.id, i.corrects UNION ALL SELECT o.id, o.corrects FROM issuance o JOIN line ON o.id = line.corrects)
  SELECT c.id, c.system, c.learner, c.course, c.completed_at, r.outcome = 'accepted' AS accepted, r.changed_fields IS NULL AS same
  FROM line CROSS JOIN LATERAL ${lookUp('run_row', 'issuance_id = line.id')} r CROSS JOIN LATERAL ${lookUp('completion', 'run_id = r.run_id AND row_number = r.row_number')} c
  WHERE c.pipeline = i.pipeline AND (${system} IS NULL OR c.system = ${system}) AND NOT ${isForgottenSql('c.learner')} AND NOT ${isOfAnother}`

/**
 * SQL: the completion by which a target identifies the learner.
 * @param system the system whose completions count, because the same learner id means someone else in another system;
 * null for any
 */
export const sourceCompletion = (system: string) =>
  `LATERAL (SELECT * FROM (${completionsOf(system)}) x ORDER BY accepted DESC, id LIMIT 1) c`

/**
 * SQL: one completion for each account that the learner has or had. After accounts were merged, or if the learner has a
 * new account, the credential is shown in the account that is in use, and a revocation in all of them. The completion
 * of the latest account has the highest id.
 */
export const accountsOf = (system: string) => `LATERAL (
  SELECT DISTINCT ON (learner) * FROM (SELECT x.*, bool_or(same) OVER () AS any_same FROM (${completionsOf(system)}) x) y
  WHERE same OR NOT any_same ORDER BY learner, id DESC) c`

/**
 * SQL: whether run $1 names the credential of delivery d under a learner id that no other run has, and d was delivered
 * before that run. The parameters are those of `targetColumns`.
 */
export const hasNewLearner = `EXISTS (
  SELECT FROM unnest($2::text[], $4::text[]) g(target, learners_of) JOIN run ON run.id = $1
  JOIN run_row r ON r.run_id = run.id AND r.issuance_id = d.issuance_id AND r.changed_fields IS NULL
  JOIN completion c ON c.run_id = r.run_id AND c.row_number = r.row_number AND c.system = g.learners_of
  WHERE g.target = d.target AND coalesce(d.written_at, '-infinity') < run.published_at AND NOT EXISTS (
    SELECT FROM run_row o JOIN completion e ON e.run_id = o.run_id AND e.row_number = o.row_number
    WHERE o.issuance_id = r.issuance_id AND o.run_id <> run.id AND e.system = c.system AND e.learner = c.learner))`
