// Implements the brake, which holds a run that is larger than expected, or the first run of a course for which others
// have already issued credentials. Nothing in the run is issued until an operator approves it. Reads and writes the
// database.

import { type BrakeLimits, checkSize, maxRecentRuns } from '#src/domain/credential/brake.ts'
import type { Database, Sql } from '#src/platform/database/database.ts'
import { asSeen, type OperatorDecision } from '../operator-decision.ts'
import { forgetFirstList, noteFirstList, settleFirstList } from './first-list.ts'
import type { RowsFromElsewhere } from './rows-from-elsewhere.ts'

/** The possible reasons to hold a run. */
export interface BrakeChecks {
  /** Undefined for a run that an operator has approved. */
  limits: BrakeLimits | undefined
  /** A sentence about what the report shows for the run's course; null if this is no reason to hold the run. */
  shows: string | null
}

/**
 * Checks a run whose rows are staged, and holds it if it exceeds a limit or because of what the report shows. A held
 * run becomes `braked`, and its staged rows are deleted. Nothing else changes. The rows are counted before any issuance
 * is inserted, because rolling back a million insertions would bloat the tables.
 * @returns whether the run is held and, if it is not, notices for its owner
 */
export async function brakeRun(
  sql: Sql,
  runId: string,
  course: string,
  { limits = {}, shows, elsewhere }: BrakeChecks & { elsewhere: Pick<RowsFromElsewhere, 'noteHeld'> },
): Promise<{ held: boolean; notices: string[] }> {
  const accepted = await countNewIssuances(sql, runId, course)
  const source = await pipelineOf(sql, runId)
  const issuedSinceYesterday = limits.perDay === undefined ? 0 : await issuedToday(sql, source)
  const { because, beyondDay, usual, notice } = checkSize(
    limits,
    accepted,
    await recentSizes(sql, source),
    issuedSinceYesterday,
  )
  const shown = accepted > 0 ? shows : null
  const reasons = [because, shown].filter((each) => each !== null)
  if (reasons.length === 0) return { held: false, notices: notice ? [notice] : [] }
  await elsewhere.noteHeld(sql, runId, course)
  await sql.query('DELETE FROM staged_row WHERE run_id = $1', [runId])
  await sql.query(
    `UPDATE run SET state = 'braked', braked_at = clock_timestamp(), would_accept = $2, usual = $3, braked_because = $4, course_uuid = $5, shown = $6,
       beyond_day = $7, waits_because = NULL WHERE id = $1`,
    [runId, accepted, usual, reasons.join(' '), course, shown !== null, beyondDay],
  )
  if (shown !== null) await noteFirstList(sql, { environment: source.environment, course }, { shows: shown })
  return { held: true, notices: [] }
}

/** Counts the issuances that the staged rows would create. */
async function countNewIssuances(sql: Sql, runId: string, course: string): Promise<number> {
  const { rows } = await sql.query<{ count: number }>(
    `SELECT count(DISTINCT s.issuance_key) AS count FROM staged_row s JOIN run ON run.id = s.run_id
     WHERE s.run_id = $1 AND s.violations IS NULL AND NOT EXISTS (
       SELECT FROM issuance i WHERE i.environment = run.environment AND i.course_uuid = $2 AND i.issuance_key = s.issuance_key)`,
    [runId, course],
  )
  return rows[0]?.count ?? 0
}

interface PipelineName {
  environment: string
  pipeline: string
}

async function pipelineOf(sql: Sql, runId: string): Promise<PipelineName> {
  const { rows } = await sql.query<PipelineName>('SELECT environment, pipeline FROM run WHERE id = $1', [runId])
  return rows[0] as PipelineName
}

/** Returns the sizes of the pipeline's last runs, as numbers of issuances. Runs without issuances are left out. */
async function recentSizes(sql: Sql, { environment, pipeline }: PipelineName): Promise<number[]> {
  const { rows } = await sql.query<{ accepted: number }>(
    `SELECT accepted FROM run WHERE environment = $1 AND pipeline = $2 AND state = 'published' AND accepted > 0 AND corrects IS NULL AND adopts IS NULL
     ORDER BY published_at DESC, id LIMIT $3`,
    [environment, pipeline, maxRecentRuns],
  )
  return rows.map((row) => row.accepted)
}

/** Counts the rows of a pipeline that were accepted in the last 24 hours in runs that needed no approval. */
async function issuedToday(sql: Sql, { environment, pipeline }: PipelineName): Promise<number> {
  const { rows } = await sql.query<{ accepted: number | null }>(
    `SELECT sum(accepted)::int AS accepted FROM run WHERE environment = $1 AND pipeline = $2 AND state = 'published'
     AND published_at > clock_timestamp() - interval '24 hours' AND approved_at IS NULL AND corrects IS NULL AND adopts IS NULL`,
    [environment, pipeline],
  )
  return rows[0]?.accepted ?? 0
}

/** SQL: whether the run is braked and has not been braked again since a person saw it. */
const isBraked = `environment = $1 AND id = $2 AND state = 'braked' AND ($3::timestamptz IS NULL OR ${asSeen('braked_at')} = $3)`

export function brakeStore(db: Database, environment: string) {
  /** @returns null if the run is not (or no longer) braked */
  const decide = async (sql: Sql, sets: string, run: string, seen: Date | null, values: readonly unknown[]) => {
    const { rows } = await sql.query<{ course: string; shown: boolean }>(
      `UPDATE run SET ${sets} WHERE ${isBraked} RETURNING course_uuid AS course, shown`,
      [environment, run, seen, ...values],
    )
    return rows[0] ?? null
  }
  return {
    /**
     * Approves a braked run. It is then read again and published whatever its size. If it was held because of what the
     * report shows, this is no longer a reason to hold lists of the course.
     * @param seen the time of braking that the operator saw, because the run may since have been braked again for
     * another reason
     * @returns false if the run is not (or no longer) braked
     */
    async approve(runId: string, { by, why }: OperatorDecision, seen: Date | null = null): Promise<boolean> {
      return db.transaction(async (sql) => {
        const sets = `state = 'received', asked_at = NULL, missed_at = NULL, waits_because = NULL, approved_at = clock_timestamp(), approved_by = $4, approved_why = $5`
        const run = await decide(sql, sets, runId, seen, [by, why])
        if (run?.shown) await settleFirstList(sql, { environment, course: run.course }, 'approved')
        return run !== null
      })
    },
    /**
     * Rejects a braked run, which becomes `refused`.
     * @param seen as for `approve`
     * @returns false if the run is not (or no longer) braked
     */
    async reject(runId: string, decision: OperatorDecision, seen: Date | null = null): Promise<boolean> {
      return db.transaction(async (sql) => {
        const sets = `state = 'refused', settled_at = clock_timestamp(), rejected_at = clock_timestamp(), rejected_by = $4, rejected_why = $5, refusal = $6`
        const run = await decide(sql, sets, runId, seen, [decision.by, decision.why, rejection(decision)])
        if (run?.shown) await forgetFirstList(sql, { environment, course: run.course })
        return run !== null
      })
    },
    /** Returns when the run was braked, or null if it is not braked. */
    async since(runId: string): Promise<Date | null> {
      const { rows } = await db.query<{ since: Date }>(
        `SELECT braked_at AS since FROM run WHERE environment = $1 AND id = $2 AND state = 'braked'`,
        [environment, runId],
      )
      return rows[0]?.since ?? null
    },
    recentSizes: (pipeline: string) => recentSizes(db, { environment, pipeline }),
    issuedToday: (pipeline: string) => issuedToday(db, { environment, pipeline }),
  }
}

/** Returns the reason stored for the run's refusal, such as `rejected by ada: the wrong list`. Pure. */
export const rejection = ({ by, why }: OperatorDecision) => `rejected by ${by}${why ? `: ${why}` : ''}`
