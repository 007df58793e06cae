// The verbs about tells: what a learning system is told of each credential. A ledger of its own beside the issuances: whatever becomes of a tell,
// nobody is issued again for it.

import type { Database } from '#src/database/database.ts'

/** States of an issuance that a system is told of. */
export type Told = 'issued' | 'rejected' | 'failed' | 'held' | 'revoked'

/** What is to be told now, with what a target needs to find the learner and to say it. */
export interface DueTell {
  id: number
  issuanceId: number
  wanted: Told
  /** How often it was tried in vain. */
  tries: number
  learner: string
  course: string
  completedAt: Date
  credentialId: string | null
  verifierLink: string | null
  /** YYYY-MM-DD. */
  issueDate: string | null
  validTill: string | null
  reason: string | null
  /** When the credential came into the state. */
  since: Date
  pipeline: string
}

/** What became of one: `written` where the target shows nothing that could be read back. */
export type TellOutcome =
  | { kind: 'verified' | 'written' }
  | { kind: 'failed'; problem: string }
  | { kind: 'later'; problem: string; waitMs: number }

/** What the outcomes of a pipeline stand at with one target. */
export interface TellStanding {
  pipeline: string
  target: string
  pending: number
  written: number
  verified: number
  /** Verified once, and something else stands there by now. */
  drifted: number
  failed: number
  /** The latest problem of one that failed, drifted or waits. */
  problem: string | null
}

/** What makes a tell due now, as if for the first time. */
export const toldAgain = `state = 'pending', tries = 0, due_at = clock_timestamp(), wanted_at = clock_timestamp(), problem = NULL`

const tellable = `'issued', 'rejected', 'failed', 'held', 'revoked'`

export function tellVerbs(db: Database, environment: string) {
  return {
    /** Notes for each target what it should be told of the issuances of a run. What it knows already is not told again. */
    want: async (runId: string, targets: readonly string[]): Promise<void> => {
      await db.query(
        `INSERT INTO tell AS t (issuance_id, target, wanted)
         SELECT DISTINCT i.id, target, i.state FROM run_row r JOIN issuance i ON i.id = r.issuance_id CROSS JOIN unnest($2::text[]) target
         WHERE r.run_id = $1 AND r.outcome = 'accepted' AND i.state IN (${tellable})
         ON CONFLICT (issuance_id, target) DO UPDATE SET wanted = excluded.wanted, state = 'pending', tries = 0, due_at = clock_timestamp(), wanted_at = clock_timestamp(), problem = NULL
         WHERE t.wanted <> excluded.wanted`,
        [runId, targets],
      )
    },
    /** The next to be told at a target, at most `most`. */
    due: async (pipeline: string, target: string, most: number): Promise<DueTell[]> => {
      const { rows } = await db.query<DueTell>(
        `SELECT t.id, t.issuance_id AS "issuanceId", t.wanted, t.tries, c.learner, c.course, c.completed_at AS "completedAt",
                i.credential_id AS "credentialId", i.verifier_link AS "verifierLink", i.issue_date AS "issueDate", i.valid_till AS "validTill", i.reason, i.state_since AS since, i.pipeline
         FROM tell t JOIN issuance i ON i.id = t.issuance_id
         JOIN run_row r ON r.run_id = i.run_id AND r.row_number = i.row_number
         JOIN completion c ON c.run_id = r.run_id AND c.row_number = r.row_number
         WHERE i.environment = $1 AND t.target = $2 AND t.state = 'pending' AND t.due_at <= statement_timestamp() AND i.pipeline = $4
         ORDER BY t.due_at, t.id LIMIT $3`,
        [environment, target, most, pipeline],
      )
      return rows
    },
    /** Told, or tried. Does nothing when something else is wanted by now. */
    note: async ({ id, wanted }: Pick<DueTell, 'id' | 'wanted'>, outcome: TellOutcome): Promise<void> => {
      const state = outcome.kind === 'later' ? 'pending' : outcome.kind
      const problem = 'problem' in outcome ? outcome.problem : null
      await db.query(
        `UPDATE tell SET state = $3, problem = $4, tries = CASE WHEN $3 = 'pending' THEN tries + 1 ELSE tries END,
           due_at = clock_timestamp() + make_interval(secs => $5),
           written_at = CASE WHEN $3 IN ('written', 'verified') THEN clock_timestamp() ELSE written_at END,
           verified_at = CASE WHEN $3 = 'verified' THEN clock_timestamp() ELSE verified_at END,
           looked_at = CASE WHEN $3 = 'verified' THEN clock_timestamp() ELSE looked_at END
         WHERE id = $1 AND wanted = $2`,
        [id, wanted, state, problem, outcome.kind === 'later' ? outcome.waitMs / 1_000 : 0],
      )
    },
    /** What failed, or was overwritten by others, is told again. @returns how many */
    again: async (pipeline: string): Promise<number> =>
      (
        await db.query(
          `UPDATE tell t SET ${toldAgain} FROM issuance i
           WHERE i.id = t.issuance_id AND i.environment = $1 AND i.pipeline = $2 AND t.state IN ('drifted', 'failed')`,
          [environment, pipeline],
        )
      ).rowCount,
    /** Nothing is told at the target for so long. */
    putOff: async (pipeline: string, target: string, waitMs: number): Promise<void> => {
      await db.query(
        `UPDATE tell t SET due_at = greatest(t.due_at, clock_timestamp() + make_interval(secs => $4)) FROM issuance i
         WHERE i.id = t.issuance_id AND i.environment = $1 AND i.pipeline = $2 AND t.target = $3 AND t.state = 'pending'`,
        [environment, pipeline, target, waitMs / 1_000],
      )
    },
    /** Pipelines of which something is to be told now. */
    waiting: async (): Promise<string[]> => {
      const { rows } = await db.query<{ pipeline: string }>(
        `SELECT DISTINCT i.pipeline FROM tell t JOIN issuance i ON i.id = t.issuance_id
         WHERE i.environment = $1 AND t.state = 'pending' AND t.due_at <= statement_timestamp()`,
        [environment],
      )
      return rows.map(({ pipeline }) => pipeline)
    },
    standing: async (): Promise<TellStanding[]> => {
      const { rows } = await db.query<TellStanding>(
        `SELECT i.pipeline, t.target, count(*) FILTER (WHERE t.state = 'pending')::int AS pending, count(*) FILTER (WHERE t.state = 'written')::int AS written,
                count(*) FILTER (WHERE t.state = 'verified')::int AS verified,
                count(*) FILTER (WHERE t.state = 'drifted')::int AS drifted, count(*) FILTER (WHERE t.state = 'failed')::int AS failed,
                (array_agg(t.problem ORDER BY t.due_at DESC) FILTER (WHERE t.problem IS NOT NULL))[1] AS problem
         FROM tell t JOIN issuance i ON i.id = t.issuance_id WHERE $1 IN (i.environment, 'any') GROUP BY 1, 2 ORDER BY 1, 2`,
        [environment],
      )
      return rows
    },
  }
}
