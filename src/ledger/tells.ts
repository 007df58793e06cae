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
  /** The completion that it was issued for, also of a correction; null where a file brought it. */
  heard: HeardOf | null
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

/** The part of it that a target shows. */
export type ShownCredential = Pick<
  DueTell,
  'wanted' | 'credentialId' | 'verifierLink' | 'issueDate' | 'validTill' | 'reason' | 'since'
>

/** By which completion a credential came to be. */
export interface HeardOf {
  system: string
  learner: string
  course: string
  completedAt: Date
}

/** Where outcomes of a pipeline are told. */
export interface ToldTarget {
  pipeline: string
  name: string
  /** Whether it shows one credential for each learner; it is then told of those only whom a learning system named. */
  showsOne: boolean
}

/** What became of one: `written` where the target shows nothing that could be read back. */
export type TellOutcome =
  | { kind: 'verified' | 'written' }
  /** `gone`: the target takes nothing any more, from anybody. */
  | { kind: 'failed'; problem: string; gone?: boolean }
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
export const toldAgain = `state = 'pending', gone = false, tries = 0, due_at = clock_timestamp(), wanted_at = clock_timestamp(), problem = NULL`

const tellable = `'issued', 'rejected', 'failed', 'held', 'revoked'`

const credential = `i.credential_id AS "credentialId", i.verifier_link AS "verifierLink", i.issue_date AS "issueDate", i.valid_till AS "validTill", i.reason, i.state_since AS since`

// Of the issuance i, or of the one that it corrects. A row that was skipped since its person had the credential already counts as well.
const heardOf = `LATERAL (
  WITH RECURSIVE line AS (SELECT i.id, i.corrects UNION ALL SELECT o.id, o.corrects FROM issuance o JOIN line ON o.id = line.corrects)
  SELECT c.system, c.learner, c.course, c.completed_at FROM line JOIN run_row r ON r.issuance_id = line.id
  JOIN completion c ON c.run_id = r.run_id AND c.row_number = r.row_number WHERE c.pipeline = i.pipeline
  ORDER BY r.outcome = 'accepted' DESC, c.id LIMIT 1) c`

export function tellVerbs(db: Database, environment: string) {
  return {
    /** Notes for each target what it should be told of the issuances of a run. What it knows already is not told again. */
    want: async (runId: string, targets: readonly ToldTarget[]): Promise<void> => {
      await db.query(
        `INSERT INTO tell AS t (issuance_id, target, wanted)
         SELECT DISTINCT i.id, g.target, i.state FROM run_row r JOIN run ON run.id = r.run_id JOIN issuance i ON i.id = r.issuance_id AND i.pipeline = run.pipeline
         CROSS JOIN unnest($2::text[], $3::boolean[]) g(target, shows_one)
         WHERE r.run_id = $1 AND i.state IN (${tellable})
           AND CASE WHEN g.shows_one THEN EXISTS (SELECT FROM ${heardOf}) ELSE r.outcome = 'accepted' END
         ON CONFLICT (issuance_id, target) DO UPDATE SET wanted = excluded.wanted, state = 'pending', tries = 0, due_at = clock_timestamp(), wanted_at = clock_timestamp(), problem = NULL
         WHERE t.wanted <> excluded.wanted`,
        [runId, targets.map(({ name }) => name), targets.map(({ showsOne }) => showsOne)],
      )
    },
    /** The next to be told at a target, at most `most`. Not while the credential is on its way to another state. */
    due: async (pipeline: string, target: string, most: number): Promise<DueTell[]> => {
      const { rows } = await db.query<Omit<DueTell, 'heard'> & { [Key in keyof HeardOf]: HeardOf[Key] | null }>(
        `SELECT t.id, t.issuance_id AS "issuanceId", t.wanted, t.tries, c.system, c.learner, c.course, c.completed_at AS "completedAt", ${credential}, i.pipeline
         FROM tell t JOIN issuance i ON i.id = t.issuance_id LEFT JOIN ${heardOf} ON true
         WHERE i.environment = $1 AND t.target = $2 AND t.state = 'pending' AND t.due_at <= statement_timestamp() AND i.pipeline = $4 AND i.state = t.wanted
         ORDER BY t.due_at, t.id LIMIT $3`,
        [environment, target, most, pipeline],
      )
      return rows.map(({ system, learner, course, completedAt, ...due }) => ({
        ...due,
        heard: system && learner && course && completedAt ? { system, learner, course, completedAt } : null,
      }))
    },
    /**
     * What a place that shows one credential should show of the learner of a tell: the one of the latest completion that is valid, else the latest.
     * An older one that is revoked, or told late, never takes the place of a newer one.
     */
    shown: async (pipeline: string, { system, learner }: HeardOf): Promise<ShownCredential | null> => {
      const { rows } = await db.query<ShownCredential>(
        `WITH RECURSIVE own AS (
           SELECT r.issuance_id AS id, c.completed_at FROM completion c JOIN run_row r ON r.run_id = c.run_id AND r.row_number = c.row_number
           WHERE c.environment = $1 AND c.pipeline = $2 AND c.system = $3 AND c.learner = $4 AND r.issuance_id IS NOT NULL
           UNION SELECT n.id, own.completed_at FROM own JOIN issuance n ON n.corrects = own.id)
         SELECT i.state AS wanted, ${credential} FROM own JOIN issuance i ON i.id = own.id
         WHERE i.state IN (${tellable}) ORDER BY i.state = 'issued' DESC, own.completed_at DESC, i.id DESC LIMIT 1`,
        [environment, pipeline, system, learner],
      )
      return rows[0] ?? null
    },
    /** Told, or tried. Does nothing when something else is wanted by now. */
    note: async ({ id, wanted }: Pick<DueTell, 'id' | 'wanted'>, outcome: TellOutcome): Promise<void> => {
      const state = outcome.kind === 'later' ? 'pending' : outcome.kind
      const problem = 'problem' in outcome ? outcome.problem : null
      const gone = outcome.kind === 'failed' && outcome.gone === true
      await db.query(
        `UPDATE tell SET state = $3, problem = $4, gone = $6, tries = CASE WHEN $3 = 'pending' THEN tries + 1 ELSE tries END,
           due_at = clock_timestamp() + make_interval(secs => $5),
           written_at = CASE WHEN $3 IN ('written', 'verified') THEN clock_timestamp() ELSE written_at END,
           verified_at = CASE WHEN $3 = 'verified' THEN clock_timestamp() ELSE verified_at END,
           looked_at = CASE WHEN $3 = 'verified' THEN clock_timestamp() ELSE looked_at END
         WHERE id = $1 AND wanted = $2`,
        [id, wanted, state, problem, outcome.kind === 'later' ? outcome.waitMs / 1_000 : 0, gone],
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
    /** Why a target takes nothing any more; null while it does. */
    goneBecause: async (target: string): Promise<string | null> => {
      const { rows } = await db.query<{ problem: string }>(
        `SELECT t.problem FROM tell t WHERE t.target = $2 AND t.gone AND EXISTS (SELECT FROM issuance i WHERE i.id = t.issuance_id AND i.environment = $1) LIMIT 1`,
        [environment, target],
      )
      return rows[0]?.problem ?? null
    },
    /** Nothing more is told at the target. */
    giveUp: async (pipeline: string, target: string, problem: string): Promise<void> => {
      await db.query(
        `UPDATE tell t SET state = 'failed', problem = $4 FROM issuance i
         WHERE i.id = t.issuance_id AND i.environment = $1 AND i.pipeline = $2 AND t.target = $3 AND t.state = 'pending'`,
        [environment, pipeline, target, problem],
      )
    },
    /** Pipelines of which something is to be told now, at one of the targets that they have. */
    waiting: async (targets: readonly ToldTarget[]): Promise<string[]> => {
      const { rows } = await db.query<{ pipeline: string }>(
        `SELECT g.pipeline FROM unnest($2::text[], $3::text[]) g(pipeline, target)
         WHERE EXISTS (SELECT FROM tell t JOIN issuance i ON i.id = t.issuance_id WHERE t.target = g.target AND t.state = 'pending'
           AND t.due_at <= statement_timestamp() AND i.environment = $1 AND i.pipeline = g.pipeline AND i.state = t.wanted)`,
        [environment, targets.map(({ pipeline }) => pipeline), targets.map(({ name }) => name)],
      )
      return [...new Set(rows.map(({ pipeline }) => pipeline))]
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
