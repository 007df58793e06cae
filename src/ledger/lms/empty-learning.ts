// Empties what the ledger has of a forgotten person from learning systems: completions, and deliveries to targets.
// Writes to the database within the caller's transaction.

import type { Hasher } from '#src/domain/credential/identity-hasher.ts'
import type { Sql } from '#src/platform/database/database.ts'
import { forgottenLearner, isForgottenSql } from './forgotten-learner.ts'

/** SQL: how far two completions are apart, in seconds. */
const distance = (a: string, b: string) => `abs(extract(epoch FROM ${a}.completed_at - ${b}.completed_at))`
const sameLearner = (a: string, b: string) =>
  ['environment', 'pipeline', 'system', 'learner'].map((name) => `${a}.${name} = ${b}.${name}`).join(' AND ')

/**
 * SQL: the completions $1, and those that reported the same occasions once more: each belongs to the nearest
 * completion of its learner.
 */
const withRepeated = `
  SELECT c.id FROM completion c WHERE c.id = ANY($1::bigint[])
  UNION SELECT again.id FROM completion c JOIN completion again ON ${sameLearner('again', 'c')} AND again.state = 'same'
  WHERE c.id = ANY($1::bigint[]) AND c.state <> 'same' AND NOT EXISTS (
    SELECT FROM completion o WHERE ${sameLearner('o', 'c')} AND o.state <> 'same' AND o.id <> c.id AND ${distance('o', 'again')} < ${distance('c', 'again')})`

/**
 * Deletes the data of completions and replaces the learners by their hashes, so that the same completions are recognized
 * when they are reported again. One that is in no published run leaves it, so that it is never issued. A completion
 * whose run is being read waits until that run is published, because its row has been staged already.
 * @param options.publishedNow a run that this transaction publishes
 * @returns the ids of those that were emptied; the others have to wait
 */
export async function emptyCompletions(
  sql: Sql,
  completionIds: readonly number[],
  { hasher, publishedNow = null }: { hasher: Pick<Hasher, 'identifier'>; publishedNow?: string | null },
): Promise<number[]> {
  if (completionIds.length === 0) return []
  // Runs first, as in a publication. One that is locked is being published or decided about.
  const { rows: runs } = await sql.query<{ id: string; keeps: boolean }>(
    `SELECT id, state = 'published' OR id = $2 AS keeps FROM run
     WHERE id IN (SELECT run_id FROM completion WHERE id = ANY($1::bigint[])) AND (state <> 'received' OR id = $2) FOR UPDATE SKIP LOCKED`,
    [completionIds, publishedNow],
  )
  const keeps = new Map(runs.map((run) => [run.id, run.keeps]))
  const { rows } = await sql.query<{
    id: number
    environment: string
    system: string
    learner: string
    run: string | null
  }>(
    `SELECT id, environment, system, learner, run_id AS run FROM completion WHERE id IN (${withRepeated}) ORDER BY id FOR UPDATE`,
    [completionIds],
  )
  const waiting = new Set(rows.flatMap(({ run, learner }) => (run !== null && !keeps.has(run) ? [learner] : [])))
  const ready = rows.filter(({ learner }) => !waiting.has(learner))
  await sql.query(
    `UPDATE completion c SET cells = '{}', learner = e.learner, refused_by = NULL, compared_at = NULL, held_as = NULL,
       state = CASE WHEN e.keeps THEN c.state ELSE 'same' END,
       run_id = CASE WHEN e.keeps THEN c.run_id END, row_number = CASE WHEN e.keeps THEN c.row_number END
     FROM unnest($1::bigint[], $2::text[], $3::boolean[]) e(id, learner, keeps) WHERE c.id = e.id`,
    [
      ready.map(({ id }) => id),
      ready.map((completion) => forgottenLearner(hasher, completion)),
      ready.map(({ run }) => run !== null && keeps.get(run) === true),
    ],
  )
  const emptied = new Set(ready.map(({ id }) => id))
  return completionIds.filter((id) => emptied.has(id))
}

/**
 * Lets learners be heard of as if for the first time: called when the hashes of an erasure are released. Their
 * completions are emptied already, also those of other erasures.
 */
export async function releaseLearners(sql: Sql, erasureId: string): Promise<void> {
  await sql.query(
    `UPDATE completion c SET learner = 'forgotten:released:' || c.id
     WHERE c.environment = (SELECT environment FROM erasure WHERE id = $1) AND ${isForgottenSql('c.learner')} AND c.learner = ANY(ARRAY(
       SELECT o.learner FROM erased_completion e JOIN completion o ON o.id = e.completion_id WHERE e.erasure_id = $1
       UNION SELECT o.learner FROM erased_issuance e JOIN run_row r ON r.issuance_id = e.issuance_id
         JOIN completion o ON o.run_id = r.run_id AND o.row_number = r.row_number
         WHERE e.erasure_id = $1 AND (r.outcome = 'accepted' OR r.forgotten_at IS NOT NULL)))`,
    [erasureId],
  )
}

/**
 * Ends the deliveries of issuances for good. Their targets are not looked at again, and texts about learners go. An
 * outcome that follows, such as a revocation in the portal, is delivered only to targets that need no learner.
 */
export async function endDeliveries(sql: Sql, issuanceIds: readonly number[]): Promise<void> {
  await sql.query(
    `UPDATE tell SET state = 'forgotten', problem = NULL, refused = false WHERE issuance_id = ANY($1::bigint[])`,
    [issuanceIds],
  )
}

/** What a target was told of a credential. credsync cannot delete it there. */
export interface DeliveredOutcome {
  issuanceId: number
  /** The name of the target in the ledger, such as `moodle-profile campus`. */
  target: string
  /** Null if the target is not a learning system of the configuration. */
  system: string | null
  what: 'profile field' | 'comment' | 'gradebook entry' | 'score' | 'event' | 'outcome'
  /** The last outcome that it was told, or is to be told. */
  outcome: string
  at: Date
}

const kindsOfTargets: Readonly<Record<string, DeliveredOutcome['what']>> = {
  'moodle-profile': 'profile field',
  'moodle-assignment': 'comment',
  'canvas-columns': 'gradebook entry',
  lti: 'score',
  webhook: 'event',
}

/** What targets were told of these issuances, for a person who asks what has to be deleted elsewhere. */
export async function deliveredOutcomes(sql: Sql, issuanceIds: readonly number[]): Promise<DeliveredOutcome[]> {
  const { rows } = await sql.query<Pick<DeliveredOutcome, 'issuanceId' | 'target' | 'outcome' | 'at'>>(
    `SELECT issuance_id AS "issuanceId", target, wanted AS outcome, written_at AS at FROM tell
     WHERE issuance_id = ANY($1::bigint[]) AND written_at IS NOT NULL ORDER BY issuance_id, target`,
    [issuanceIds],
  )
  return rows.map((row) => {
    const [kind = '', system = null] = row.target.split(' ')
    return { ...row, what: kindsOfTargets[kind] ?? 'outcome', system: kind === 'webhook' ? null : system }
  })
}
