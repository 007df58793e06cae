// The verbs about the learning systems that are asked: when each is due, and what stands in the way.

import type { Database } from '#src/database/database.ts'

export interface SystemStanding {
  system: string
  watched: boolean
  /** When it was last asked to the end. */
  polledAt: Date | null
  problem: string | null
}

export function learningSystemVerbs(db: Database, environment: string, lostAfterMs: number) {
  const here = 'environment = $1 AND system = $2'
  return {
    /** At the start of a worker: the systems of its configuration, and no others. What was put off is due again. */
    watch: (systems: readonly string[]): Promise<void> =>
      db.transaction(async (sql) => {
        await sql.query(
          'UPDATE learning_system SET watched = false WHERE environment = $1 AND watched AND system <> ALL($2::text[])',
          [environment, systems],
        )
        await sql.query(
          `INSERT INTO learning_system (environment, system) SELECT $1, unnest($2::text[])
           ON CONFLICT (environment, system) DO UPDATE SET watched = true, tries = 0, due_at = clock_timestamp()`,
          [environment, systems],
        )
      }),
    /** Those to be asked now, each once and again when its job seems lost. */
    take: async (): Promise<string[]> => {
      const { rows } = await db.query<{ system: string }>(
        `UPDATE learning_system SET asked_at = clock_timestamp()
         WHERE environment = $1 AND watched AND due_at <= clock_timestamp()
           AND (asked_at IS NULL OR asked_at < clock_timestamp() - make_interval(secs => $2)) RETURNING system`,
        [environment, lostAfterMs / 1_000],
      )
      return rows.map(({ system }) => system)
    },
    /** Whether everybody is to be asked about. */
    dueOf: async (system: string): Promise<{ due: boolean; sweepDue: boolean; tries: number }> => {
      const { rows } = await db.query<{ due: boolean; sweepDue: boolean; tries: number }>(
        `SELECT due_at <= clock_timestamp() AS due, sweep_at <= clock_timestamp() AS "sweepDue", tries FROM learning_system WHERE ${here}`,
        [environment, system],
      )
      return rows[0] ?? { due: false, sweepDue: false, tries: 0 }
    },
    /**
     * It was asked to the end.
     * @param sweepAt when it is asked about everybody again; null where it was not
     * @param problem what it said that needs a person, a sentence without values; null for nothing
     */
    notePolled: async (
      system: string,
      { nextAt, sweepAt, problem }: { nextAt: Date; sweepAt: Date | null; problem: string | null },
    ): Promise<void> => {
      await db.query(
        `UPDATE learning_system SET due_at = $3, sweep_at = coalesce($4::timestamptz, sweep_at), asked_at = NULL, tries = 0, problem = $5, polled_at = clock_timestamp(),
           swept_at = CASE WHEN $4::timestamptz IS NULL THEN swept_at ELSE clock_timestamp() END
         WHERE ${here}`,
        [environment, system, nextAt, sweepAt, problem],
      )
    },
    /** It could not be asked. @param problem a sentence without values */
    noteTrouble: async (system: string, problem: string, waitMs: number): Promise<void> => {
      await db.query(
        `UPDATE learning_system SET due_at = clock_timestamp() + make_interval(secs => $4), asked_at = NULL, tries = tries + 1, problem = $3 WHERE ${here}`,
        [environment, system, problem, waitMs / 1_000],
      )
    },
    /** Nothing can be done with it, by its configuration; it is shown until the next start. @param problem a sentence without values */
    noteUnusable: async (system: string, problem: string): Promise<void> => {
      await db.query(
        `INSERT INTO learning_system (environment, system, due_at, problem) VALUES ($1, $2, 'infinity', $3)
         ON CONFLICT (environment, system) DO UPDATE SET watched = true, due_at = excluded.due_at, problem = excluded.problem`,
        [environment, system, problem],
      )
    },
    standing: async (): Promise<SystemStanding[]> => {
      const { rows } = await db.query<SystemStanding>(
        `SELECT system, watched, polled_at AS "polledAt", problem FROM learning_system WHERE $1 IN (environment, 'any') ORDER BY environment, system`,
        [environment],
      )
      return rows
    },
  }
}
