// Learning systems: stores when each is polled next, whether it responds, and what prevents polling. Reads and writes
// the database; the systems are called elsewhere.

import type { Database } from '#src/platform/database/database.ts'

export interface SystemStatus {
  system: string
  watched: boolean
  /** End of the last complete poll. */
  polledAt: Date | null
  problem: string | null
  /** The time since which the system has been unavailable or has rejected every request; null while it responds. */
  unavailableSince: Date | null
  /** A sentence that contains no values. */
  unavailableReason: string | null
}

/** When a configured system gets its nightly full poll and drift check. */
export interface NightlySchedule {
  system: string
  /** The setting from which the next time was calculated. */
  schedule: string
  nextAt: Date
  /** Whether one of its targets can be checked for drift. */
  checksDrift: boolean
}

interface DuePoll {
  due: boolean
  /** Whether the poll has to cover all learners. */
  fullPollDue: boolean
  /** Number of consecutive failed polls since the last start. */
  tries: number
  /** Whether the system was unavailable for the last poll or delivery. */
  wasUnavailable: boolean
}

export function learningSystemStore(db: Database, environment: string, lostAfterMs: number) {
  const thisSystem = 'environment = $1 AND system = $2'
  return {
    /**
     * Called when a worker starts: replaces the known systems with those in its configuration. Systems whose poll was
     * postponed are due again. A changed schedule applies unless the nightly work is already due.
     */
    register: (systems: readonly string[], schedules: readonly NightlySchedule[] = []): Promise<void> =>
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
        await sql.query(
          `UPDATE learning_system s SET schedule = n.schedule,
             sweep_at = CASE WHEN s.schedule IS DISTINCT FROM n.schedule AND s.sweep_at > clock_timestamp() THEN n.next_at ELSE s.sweep_at END,
             look_at = CASE WHEN NOT n.looks THEN NULL
                            WHEN s.look_at IS NULL OR (s.schedule IS DISTINCT FROM n.schedule AND s.look_at > clock_timestamp() AND s.look_began_at IS NULL)
                            THEN n.next_at ELSE s.look_at END
           FROM unnest($2::text[], $3::text[], $4::timestamptz[], $5::boolean[]) n(system, schedule, next_at, looks)
           WHERE s.environment = $1 AND s.system = n.system`,
          [
            environment,
            schedules.map((n) => n.system),
            schedules.map((n) => n.schedule),
            schedules.map((n) => n.nextAt),
            schedules.map((n) => n.checksDrift),
          ],
        )
      }),
    /** Systems to poll now. Each is returned once, and again when its job seems to be lost. */
    take: async (): Promise<string[]> => {
      const { rows } = await db.query<{ system: string }>(
        `UPDATE learning_system SET asked_at = clock_timestamp()
         WHERE environment = $1 AND watched AND due_at <= clock_timestamp()
           AND (asked_at IS NULL OR asked_at < clock_timestamp() - make_interval(secs => $2)) RETURNING system`,
        [environment, lostAfterMs / 1_000],
      )
      return rows.map(({ system }) => system)
    },
    /** Whether a poll of the system is due, and whether it has to cover all learners. */
    dueOf: async (system: string): Promise<DuePoll> => {
      const { rows } = await db.query<DuePoll>(
        `SELECT due_at <= clock_timestamp() AS due, sweep_at <= clock_timestamp() AS "fullPollDue", tries, away_since IS NOT NULL AS "wasUnavailable" FROM learning_system WHERE ${thisSystem}`,
        [environment, system],
      )
      return rows[0] ?? { due: false, fullPollDue: false, tries: 0, wasUnavailable: false }
    },
    /** Makes a poll of all learners due now, because what was refused may have been corrected in the system. */
    pollAllNow: async (system: string): Promise<void> => {
      await db.query(
        `UPDATE learning_system SET due_at = clock_timestamp(), sweep_at = clock_timestamp() WHERE ${thisSystem} AND watched AND due_at <> 'infinity'`,
        [environment, system],
      )
    },
    /**
     * Records that a poll is complete.
     * @param fullPollAt when all learners are polled again; null if this poll did not cover them all
     * @param wasAsked whether any request was made: a system that only receives deliveries has no courses to poll
     * @param problem a problem that needs an operator's action, as a sentence without values; null for none
     */
    notePolled: async (
      system: string,
      {
        nextAt,
        fullPollAt,
        problem,
        wasAsked = true,
      }: { nextAt: Date; fullPollAt: Date | null; problem: string | null; wasAsked?: boolean },
    ): Promise<void> => {
      await db.query(
        `UPDATE learning_system SET due_at = $3, sweep_at = coalesce($4::timestamptz, sweep_at), asked_at = NULL, tries = 0, problem = $5, polled_at = clock_timestamp(),
           away_since = CASE WHEN $6 THEN NULL ELSE away_since END, away_because = CASE WHEN $6 THEN NULL ELSE away_because END,
           swept_at = CASE WHEN $4::timestamptz IS NULL THEN swept_at ELSE clock_timestamp() END
         WHERE ${thisSystem}`,
        [environment, system, nextAt, fullPollAt, problem, wasAsked],
      )
    },
    /** Records that a poll failed; it is retried after `waitMs`. @param problem a sentence without values */
    noteFailure: async (system: string, problem: string, waitMs: number): Promise<void> => {
      await db.query(
        `UPDATE learning_system SET due_at = clock_timestamp() + make_interval(secs => $4), asked_at = NULL, tries = tries + 1, problem = $3,
           away_since = coalesce(away_since, clock_timestamp()), away_because = $3 WHERE ${thisSystem}`,
        [environment, system, problem, waitMs / 1_000],
      )
    },
    /**
     * Records that the system was unavailable for a delivery or for the verification of an event. If the system is
     * polled, its next poll is due soon, to notice when the system is available again.
     */
    noteAway: async (system: string, because: string): Promise<void> => {
      await db.query(
        `INSERT INTO learning_system AS s (environment, system, due_at, away_since, away_because) VALUES ($1, $2, 'infinity', clock_timestamp(), $3)
         ON CONFLICT (environment, system) DO UPDATE SET watched = true, away_because = excluded.away_because,
           due_at = CASE WHEN s.away_since IS NULL AND s.due_at <> 'infinity' THEN least(s.due_at, clock_timestamp() + interval '30 seconds') ELSE s.due_at END,
           away_since = coalesce(s.away_since, excluded.away_since)`,
        [environment, system, because],
      )
    },
    /**
     * Records that the system accepted a delivery. If its last poll failed, it is polled again now, because the poll
     * may have failed for another reason.
     */
    noteBack: async (system: string): Promise<void> => {
      await db.query(
        `UPDATE learning_system SET due_at = CASE WHEN tries > 0 THEN clock_timestamp() ELSE due_at END,
           away_since = CASE WHEN tries > 0 THEN away_since END, away_because = CASE WHEN tries > 0 THEN away_because END
         WHERE ${thisSystem} AND away_since IS NOT NULL`,
        [environment, system],
      )
    },
    statuses: async (): Promise<SystemStatus[]> => {
      const { rows } = await db.query<SystemStatus>(
        `SELECT system, watched, polled_at AS "polledAt", problem, away_since AS "unavailableSince", away_because AS "unavailableReason" FROM learning_system WHERE $1 IN (environment, 'any') ORDER BY environment, system`,
        [environment],
      )
      return rows
    },
  }
}
