// Completions whose rows are invalid: stores the hash of the rules under which they were refused, and makes them due
// again when the rules or their data have changed. Reads and writes the database.

import type { Database, Sql } from '#src/platform/database/database.ts'
import { processAgainSql } from './inbound-events.ts'

/** Completions whose rows break the same rule in the same field, and have to be corrected. */
export interface InvalidCompletions {
  pipeline: string
  system: string
  rule: string
  /** The field's display name; empty if the rule is about the whole row. */
  field: string
  completions: number
  /** The first three of their learners whose id in the system is a number. */
  learners: string[]
  /** The latest run with such a row. */
  run: string
}

/** Numbers of one system's completions that are waiting for a credential. */
export interface WaitingCompletionCounts {
  pipeline: string
  system: string
  /** Ready for the next run. */
  ready: number
  /** In runs that were refused as a whole: the configuration has to be fixed first. */
  refused: number
}

/** How often the rules under which a row was refused are compared with the current ones. */
const compareHours = 1

/** SQL: the assignments that make a completion ready for the next run. */
export const readyAgain = `state = 'ready', run_id = NULL, row_number = NULL, refused_by = NULL, compared_at = NULL`

/**
 * SQL: whether the row of completion c is invalid, and the completion does not have to be forgotten. `refused_by` alone
 * does not show this, because a worker of an earlier version does not clear it, and the completion of a learner with a
 * credential must not be retried.
 */
export const isRefused = `c.refused_by IS NOT NULL AND NOT EXISTS (SELECT FROM erased_completion e WHERE e.completion_id = c.id)
  AND EXISTS (SELECT FROM run_row r WHERE r.run_id = c.run_id AND r.row_number = c.row_number AND r.outcome = 'invalid')`

/** SQL: whether completion c was refused because of the name in a known credential that has been corrected since. */
const correctedSince = `EXISTS (
  SELECT FROM run_row b JOIN run ON run.id = b.run_id CROSS JOIN LATERAL jsonb_array_elements(b.violations) v
  WHERE b.run_id = c.run_id AND b.row_number = c.row_number AND v->>'rule' = 'other_learner' AND (
    EXISTS (SELECT FROM issuance n WHERE n.corrects = (v->>'known')::bigint)
    OR EXISTS (SELECT FROM history h WHERE h.issuance_id = (v->>'known')::bigint AND h.to_state = 'pending' AND h.evidence ? 'fields' AND h.at > run.published_at)))`

/** SQL: whether completion c was refused because of a forgotten person who has been released since. */
const releasedSince = `EXISTS (
  SELECT FROM run_row b CROSS JOIN LATERAL jsonb_array_elements(b.violations) v
  WHERE b.run_id = c.run_id AND b.row_number = c.row_number AND v->>'rule' = 'forgotten_identity'
    AND NOT EXISTS (SELECT FROM erased_person p WHERE p.id = (v->>'person')::bigint))`

/**
 * SQL: whether completion c, which was reported again, is retried although the rules are the same: its data have
 * changed, its event was mapped again, the credential that it conflicted with was corrected, or the person was
 * released.
 */
export const isRetried = (cells: string, event: string) =>
  `${isRefused} AND (c.cells <> ${cells}::jsonb OR c.event_id = ${event} OR ${correctedSince} OR ${releasedSince}) IS TRUE`

/** SQL: whether the row of this completion violates a rule that can only be violated by several rows together. */
const breaksCrossRowRule = (completion: string) => `EXISTS (
  SELECT FROM run_row b CROSS JOIN LATERAL jsonb_array_elements(b.violations) v
  WHERE b.run_id = ${completion}.run_id AND b.row_number = ${completion}.row_number AND v->>'rule' IN ('identity_conflict', 'person_twice', 'unique'))`

/**
 * Retries completion `id`, if its row was refused together with others, and these others. Its data have changed, so all
 * of them may be valid now.
 */
export async function retryRelated(sql: Sql, id: number): Promise<void> {
  await sql.query(
    `UPDATE completion c SET ${readyAgain} FROM completion f
     WHERE f.id = $1 AND c.run_id = f.run_id AND ${isRefused} AND ${breaksCrossRowRule('f')} AND ${breaksCrossRowRule('c')}`,
    [id],
  )
}

/**
 * Lets only one transaction at a time change the completions of a pipeline, so that what it has read of a completion
 * stays true until it changes the completion. Must run inside a transaction, whose end releases the lock.
 */
export async function lockCompletions(sql: Sql, environment: string, pipeline: string): Promise<void> {
  await sql.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
    `credsync:${environment}:completions:${pipeline}`,
  ])
}

/**
 * Stores the hash of the rules under which a run's invalid rows were refused. Completions have no file that could be
 * resubmitted, so these rows are retried automatically when the rules change.
 */
export async function noteRulesHash(sql: Sql, runId: string, rulesHash: string): Promise<void> {
  await sql.query(
    `UPDATE completion c SET refused_by = $2, compared_at = clock_timestamp() FROM run_row r
     WHERE r.run_id = $1 AND r.outcome = 'invalid' AND c.run_id = r.run_id AND c.row_number = r.row_number`,
    [runId, rulesHash],
  )
}

/** SQL: whether the run of this completion was refused as a whole, but not rejected by an operator. */
const inRefusedRun = (completion: string) =>
  `${completion}.run_id IN (SELECT id FROM run WHERE state = 'refused' AND rejected_at IS NULL)`

export function refusedCompletionStore(db: Database, environment: string) {
  return {
    /** Completions with invalid rows, by the rule that they break. */
    invalid: async (): Promise<InvalidCompletions[]> => {
      const { rows } = await db.query<InvalidCompletions>(
        `SELECT c.pipeline, c.system, v->>'rule' AS rule, coalesce(v->>'field', '') AS field, count(DISTINCT c.id)::int AS completions,
                coalesce((array_agg(DISTINCT c.learner) FILTER (WHERE c.learner ~ '^[0-9]{1,19}$'))[1:3], '{}') AS learners,
                (array_agg(c.run_id::text ORDER BY c.id DESC))[1] AS run
         FROM completion c JOIN run_row r ON r.run_id = c.run_id AND r.row_number = c.row_number
         CROSS JOIN LATERAL jsonb_array_elements(r.violations) v
         WHERE c.environment = $1 AND c.refused_by IS NOT NULL GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, completions DESC, 3, 4`,
        [environment],
      )
      return rows
    },
    /** How many completions are waiting, by pipeline and system. */
    counts: async (): Promise<WaitingCompletionCounts[]> => {
      const { rows } = await db.query<WaitingCompletionCounts>(
        `SELECT c.pipeline, c.system, (count(*) FILTER (WHERE c.state = 'ready'))::int AS ready, (count(*) FILTER (WHERE ${inRefusedRun('c')}))::int AS refused
         FROM completion c WHERE c.environment = $1 AND (c.state = 'ready' OR ${inRefusedRun('c')}) GROUP BY 1, 2 ORDER BY 1, 2`,
        [environment],
      )
      return rows
    },
    /**
     * Makes completions of refused runs ready again, because the configuration that led to the refusal may have been
     * fixed. Runs that an operator rejected are not changed.
     * @returns how many
     */
    waitAgain: async (pipeline: string | null = null): Promise<number> =>
      (
        await db.query(
          `UPDATE completion c SET ${readyAgain} WHERE c.environment = $1 AND ($2::text IS NULL OR c.pipeline = $2) AND ${inRefusedRun('c')}`,
          [environment, pipeline],
        )
      ).rowCount,
    /** Called when a worker starts, because it may have new rules: makes all comparisons due. */
    compareNow: async (): Promise<void> => {
      await db.query(
        `UPDATE completion SET compared_at = '-infinity' WHERE environment = $1 AND refused_by IS NOT NULL`,
        [environment],
      )
    },
    /**
     * Pipelines with refused rows whose hash of rules is due to be compared with the current one. Each pipeline is
     * returned once.
     */
    takeToCompare: async (): Promise<string[]> => {
      const { rows } = await db.query<{ pipeline: string }>(
        `WITH taken AS (
           UPDATE completion SET compared_at = clock_timestamp()
           WHERE environment = $1 AND refused_by IS NOT NULL AND compared_at < statement_timestamp() - interval '${compareHours} hours' RETURNING pipeline)
         SELECT DISTINCT pipeline FROM taken ORDER BY pipeline`,
        [environment],
      )
      return rows.map(({ pipeline }) => pipeline)
    },
    /**
     * Retries completions whose rows were refused under other rules. If a completion came from a trusted event whose
     * body is still stored, the event is processed again, because the rules include its mapping.
     * @param rulesHash hash of the current rules
     * @returns the systems with events to process
     */
    tryAgain: (pipeline: string, rulesHash: string): Promise<string[]> =>
      db.transaction(async (sql) => {
        await lockCompletions(sql, environment, pipeline)
        const refusedByOtherRules = `c.environment = $1 AND c.pipeline = $2 AND c.refused_by <> $3 AND ${isRefused}`
        // One event may contain several completions. It is locked, because its body may be deleted in the meantime.
        const { rows } = await sql.query<{ id: number; eventId: number; system: string }>(
          `SELECT c.id, v.id AS "eventId", v.system FROM completion c JOIN inbound_event v ON v.id = c.event_id WHERE ${refusedByOtherRules} AND v.body IS NOT NULL
           ORDER BY v.id FOR NO KEY UPDATE OF v`,
          [environment, pipeline, rulesHash],
        )
        const remappedIds = rows.map(({ id }) => id)
        await sql.query(`UPDATE inbound_event SET ${processAgainSql} WHERE id = ANY($1::bigint[])`, [
          rows.map(({ eventId }) => eventId),
        ])
        // Their hash is updated first, so the next statement skips them until their event is processed.
        await sql.query('UPDATE completion SET refused_by = $2 WHERE id = ANY($1::bigint[])', [remappedIds, rulesHash])
        await sql.query(`UPDATE completion c SET ${readyAgain} WHERE ${refusedByOtherRules}`, [
          environment,
          pipeline,
          rulesHash,
        ])
        return [...new Set(rows.map(({ system }) => system))]
      }),
  }
}
