// Schedules the next scan of the report, and reads how many rows are waiting for it. Reads and writes the database.

import type { Sql } from '#src/platform/database/database.ts'

export interface PollerStatus {
  /** The number of open rows, which the report has yet to settle. */
  open: number
  /** Whether there are pending rows, including those of a course that is paused. */
  unsent: boolean
  /** Milliseconds since an open row last changed its state; null if there are none. */
  youngestMs: number | null
  /** The day before the oldest open row was first sent, YYYY-MM-DD; null if there are none. */
  sinceAll: string | null
  /** The same for open rows that were first sent within the last day. */
  sinceYoung: string | null
  /** Whether a scan of the report is due. */
  due: boolean
  /** Whether a scan back to the oldest open row is due. */
  deepDue: boolean
}

export function pollerStore(db: Sql, environment: string) {
  return {
    /** Reads which rows wait for the report, and whether a scan is due. */
    async read(): Promise<PollerStatus> {
      const { rows } = await db.query<PollerStatus>(
        `SELECT count(*) AS open,
                (SELECT id FROM issuance WHERE environment = $1 AND state = 'pending' ORDER BY pipeline, due_at, id LIMIT 1) IS NOT NULL AS unsent,
                (extract(epoch FROM clock_timestamp() - max(state_since)) * 1000)::float AS "youngestMs",
                (min(first_sent_at) AT TIME ZONE 'UTC')::date - 1 AS "sinceAll",
                (min(first_sent_at) FILTER (WHERE first_sent_at > clock_timestamp() - interval '1 day') AT TIME ZONE 'UTC')::date - 1 AS "sinceYoung",
                coalesce((SELECT due_at <= clock_timestamp() FROM poller WHERE environment = $1), true) AS due,
                coalesce((SELECT deep_due_at <= clock_timestamp() FROM poller WHERE environment = $1), true) AS "deepDue"
         FROM issuance WHERE environment = $1 AND state IN ('unconfirmed', 'requested', 'in_progress')`,
        [environment],
      )
      return rows[0] as PollerStatus
    },
    /**
     * Schedules the next scan.
     * @param nextMs milliseconds from now
     * @param deepMs the same for the next scan back to the oldest open row; null leaves that time unchanged, because
     * the last scan did not reach back that far
     */
    async schedule(nextMs: number, deepMs: number | null): Promise<void> {
      await db.query(
        `INSERT INTO poller (environment, due_at, deep_due_at) VALUES ($1, clock_timestamp() + make_interval(secs => $2), clock_timestamp() + make_interval(secs => coalesce($3::float, 0)))
         ON CONFLICT (environment) DO UPDATE SET due_at = excluded.due_at, asked_at = NULL, deep_due_at = CASE WHEN $3 IS NULL THEN poller.deep_due_at ELSE excluded.deep_due_at END`,
        [environment, nextMs / 1_000, deepMs === null ? null : deepMs / 1_000],
      )
    },
    /**
     * Called after something was sent. Makes the next scan due within `withinMs`. If it is due earlier, nothing is
     * written, because otherwise many senders would wait for one another's commits.
     */
    async hurry(withinMs: number): Promise<void> {
      await db.query(
        `INSERT INTO poller (environment, due_at)
         SELECT $1, clock_timestamp() + make_interval(secs => $2)
         WHERE NOT EXISTS (SELECT FROM poller WHERE environment = $1 AND due_at <= clock_timestamp() + make_interval(secs => $2))
         ON CONFLICT (environment) DO UPDATE SET due_at = least(poller.due_at, excluded.due_at)`,
        [environment, withinMs / 1_000],
      )
    },
  }
}
