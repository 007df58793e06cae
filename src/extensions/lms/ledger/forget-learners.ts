// Deletes what the ledger stores about a forgotten person from learning systems (data of completions, and deliveries to
// targets), and replaces learners by hashes. Writes to the database within the caller's transaction.

import type { Hasher } from '#src/domain/credential/identity-hasher.ts'
import type { Sql } from '#src/platform/database/database.ts'
import { eachOf, lookUp } from '#src/platform/database/index-lookups.ts'
import { lockCompletions } from './refused-completions.ts'

/** SQL: how far two completions are apart, in seconds. */
const distance = (a: string, b: string) => `abs(extract(epoch FROM ${a}.completed_at - ${b}.completed_at))`
const completionsLike = (c: string) => lookUp('completion', `environment = ${c}.environment AND learner = ${c}.learner`)
const sameSource = (a: string, b: string) => `${a}.pipeline = ${b}.pipeline AND ${a}.system = ${b}.system`

/**
 * SQL: the completions $1, and those that reported the same occasions again: each repetition belongs to the nearest
 * completion of its learner.
 */
const withRepeated = `
  SELECT unnest($1::bigint[]) AS id
  UNION SELECT again.id FROM completion c CROSS JOIN LATERAL ${completionsLike('c')} again
  WHERE c.id = ${eachOf('$1')} AND c.state <> 'same' AND again.state = 'same' AND ${sameSource('again', 'c')} AND NOT EXISTS (
    SELECT FROM ${completionsLike('c')} o WHERE ${sameSource('o', 'c')} AND o.state <> 'same' AND o.id <> c.id AND ${distance('o', 'again')} < ${distance('c', 'again')})`

/**
 * Deletes the data of completions and replaces the learners by their hashes, so that the same completions are
 * recognized when they are reported again. A completion in a run that is not published is removed from the run, so that
 * it is never issued. If the run is still being read, the completion waits until the run is published, because its row
 * has already been staged. A repetition remains one: it must not prevent a renewal.
 * @param options.publishedNow a run that this transaction publishes
 * @returns the ids of those that were emptied; the others have to wait
 */
export async function emptyCompletions(
  sql: Sql,
  completionIds: readonly number[],
  { hasher, publishedNow = null }: { hasher: Pick<Hasher, 'identifier'>; publishedNow?: string | null },
): Promise<number[]> {
  if (completionIds.length === 0) return []
  await lockPipelines(sql, { completionIds })
  // Runs are locked first, as in a publication. One that is locked already is being published or decided on.
  const { rows: runs } = await sql.query<{ id: string; keeps: boolean }>(
    `SELECT id, state = 'published' OR id = $2 AS keeps FROM run
     WHERE id = ANY(ARRAY(SELECT run_id FROM completion WHERE id = ${eachOf('$1')})) AND (state <> 'received' OR id = $2) FOR UPDATE SKIP LOCKED`,
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
    `SELECT id, environment, system, learner, run_id AS run FROM completion WHERE id = ANY(ARRAY(${withRepeated})) ORDER BY id FOR UPDATE`,
    [completionIds],
  )
  const waiting = new Set(rows.flatMap(({ run, learner }) => (run !== null && !keeps.has(run) ? [learner] : [])))
  const ready = rows.filter(({ learner }) => !waiting.has(learner))
  const leaving = ready.filter(({ run }) => run !== null && !keeps.get(run)).map(({ id }) => id)
  // The list of people in a braked run is written again without them. Nothing else records that they were in it.
  await sql.query(
    `INSERT INTO erased_run (erasure_id, run_id) SELECT DISTINCT e.erasure_id, c.run_id FROM completion c JOIN erased_completion e ON e.completion_id = c.id
     JOIN erasure x ON x.id = e.erasure_id WHERE c.id = ANY($1::bigint[]) AND x.kind = 'request' ON CONFLICT DO NOTHING`,
    [leaving],
  )
  await sql.query(
    `UPDATE completion c SET cells = '{}', learner = e.learner, refused_by = NULL, compared_at = NULL, held_as = NULL,
       state = CASE WHEN e.keeps OR c.state = 'same' THEN c.state ELSE 'forgotten' END,
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
 * Waits for transactions that record completions of the same learners: what they have already read would bring the data
 * back. An erasure calls this before it locks anything else, because a transaction that holds this lock may wait for
 * the rows of the erasure.
 */
export async function lockPipelines(
  sql: Sql,
  { erasureId = null, completionIds = [] }: { erasureId?: string | null; completionIds?: readonly number[] },
): Promise<void> {
  const { rows } = await sql.query<{ environment: string; pipeline: string }>(
    `SELECT DISTINCT environment, pipeline FROM completion WHERE id = ANY(ARRAY(
       SELECT unnest($1::bigint[]) UNION SELECT completion_id FROM erased_completion WHERE erasure_id = $2 AND emptied_at IS NULL)) ORDER BY 1, 2`,
    [completionIds, erasureId],
  )
  for (const { environment, pipeline } of rows) await lockCompletions(sql, environment, pipeline)
}

/**
 * Makes learners count as unknown again; called when the hashes of an erasure are released. Their completions have
 * already been emptied, including those of other erasures.
 */
export async function releaseLearners(sql: Sql, erasureId: string): Promise<void> {
  await sql.query(
    `UPDATE completion c SET learner = 'forgotten:released:' || c.id
     WHERE c.environment = (SELECT environment FROM erasure WHERE id = $1) AND ${isForgottenSql('c.learner')} AND c.learner = ANY(ARRAY(
       SELECT o.learner FROM erased_completion e JOIN completion o ON o.id = e.completion_id WHERE e.erasure_id = $1
       UNION SELECT o.learner FROM erased_issuance e JOIN run_row r ON r.issuance_id = e.issuance_id
         JOIN completion o ON o.run_id = r.run_id AND o.row_number = r.row_number
         WHERE e.erasure_id = $1 AND (r.outcome = 'accepted' OR (r.forgotten_at IS NOT NULL AND r.changed_fields IS NULL))))`,
    [erasureId],
  )
}

/**
 * Ends the deliveries of issuances permanently. Their targets are not checked again, and messages about learners are
 * deleted. A later outcome, such as a revocation in the portal, is delivered only to targets that need no learner.
 */
export async function endDeliveries(sql: Sql, issuanceIds: readonly number[]): Promise<void> {
  await sql.query(
    `UPDATE delivery SET state = 'forgotten', problem = NULL, refused = false, gone = false WHERE issuance_id = ${eachOf('$1')}`,
    [issuanceIds],
  )
}

/** What was delivered to a target about a credential. credsync cannot delete it there. */
export interface DeliveredOutcome {
  issuanceId: number
  /** The name of the target in the ledger, such as `moodle-profile campus`. */
  target: string
  /** Null if the target is not a learning system of the configuration. */
  system: string | null
  what: 'profile field' | 'comment' | 'gradebook entry' | 'score' | 'event' | 'outcome'
  /** The last outcome that was delivered or has to be. */
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

/** What was delivered about these issuances, for a person who asks what has to be deleted elsewhere. */
export async function deliveredOutcomes(sql: Sql, issuanceIds: readonly number[]): Promise<DeliveredOutcome[]> {
  const { rows } = await sql.query<Pick<DeliveredOutcome, 'issuanceId' | 'target' | 'outcome' | 'at'>>(
    `SELECT issuance_id AS "issuanceId", target, wanted AS outcome, written_at AS at FROM delivery
     WHERE issuance_id = ANY($1::bigint[]) AND written_at IS NOT NULL ORDER BY issuance_id, target`,
    [issuanceIds],
  )
  return rows.map((row) => {
    const [kind = '', system = null] = row.target.split(' ')
    return { ...row, what: kindsOfTargets[kind] ?? 'outcome', system: kind === 'webhook' ? null : system }
  })
}

const prefix = 'forgotten:'

/** What the ledger stores in place of a forgotten learner's id: it recognizes the learner, but does not name them. */
export function forgottenLearner(
  hasher: Pick<Hasher, 'identifier'>,
  { environment, system, learner }: { environment: string; system: string; learner: string },
): string {
  if (isForgottenLearner(learner)) return learner
  return prefix + hasher.identifier(`${environment}|${system}|${learner}`).toString('hex')
}

export const isForgottenLearner = (learner: string) => learner.startsWith(prefix)

/** SQL: whether the completion's learner was forgotten. */
export const isForgottenSql = (learner: string) => `starts_with(${learner}, '${prefix}')`
