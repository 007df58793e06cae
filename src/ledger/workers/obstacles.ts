// Stores obstacles, which are the causes that keep a worker from doing its work. Workers record them in the database
// for notices, and for commands that wait in another process. No job reads them.

import type { Sql } from '#src/platform/database/database.ts'

export interface Obstacle {
  /**
   * The kind of work: the name of a queue, `sweep`, `gate` with the name of an endpoint, or `worker` with its short id.
   */
  subject: string
  detail: string
  since: Date
  until: Date | null
  /** The class of the error, if there was one. */
  error?: string | null
}

/**
 * An obstacle that was not recorded again for this long counts as gone. A persistent obstacle is usually recorded again
 * within a minute. The longest interval is the duration of a full scan.
 */
const expiresAfter = '10 minutes'

/** Groups of errors with the same cause, because an unavailable service or Redis may fail in different ways. */
const sameTroubles = [
  '(ServiceUnreachable|ServiceRefused|Wire)Error',
  '(QueueUnreachable|RedisUnreachable|RedisRefused)Error',
]

/**
 * SQL: the class of an obstacle's error. An error of another class counts as a new obstacle, whose time starts over.
 */
const classOf = (obstacle: string) =>
  sameTroubles.reduce(
    (sql, classes, index) => `regexp_replace(${sql}, '^${classes}$', '${index}')`,
    `split_part(${obstacle}.error, ' ', 1)`,
  )

export function obstacleStore(db: Sql, environment: string) {
  return {
    /**
     * Records a new obstacle, or records that a known one persists.
     * @param obstacle.endsInMs the number of milliseconds after which it is expected to end; null if unknown
     */
    async note(obstacle: { subject: string; detail: string; endsInMs: number | null; error?: string }): Promise<void> {
      await db.query(
        `INSERT INTO obstacle AS o (environment, subject, detail, until, error) VALUES ($1, $2, $3, clock_timestamp() + make_interval(secs => $4), $5)
         ON CONFLICT (environment, subject) DO UPDATE
           SET detail = excluded.detail, until = excluded.until, seen_at = excluded.seen_at, error = excluded.error,
               since = CASE WHEN ${isPast} OR ${classOf('o')} IS DISTINCT FROM ${classOf('excluded')} THEN excluded.since ELSE o.since END`,
        [
          environment,
          obstacle.subject,
          obstacle.detail,
          obstacle.endsInMs === null ? null : obstacle.endsInMs / 1_000,
          obstacle.error ?? null,
        ],
      )
    },
    /** Removes an obstacle. Only needed for work whose success is not visible in the tables. */
    async clear(subject: string): Promise<void> {
      await db.query('DELETE FROM obstacle WHERE environment = $1 AND subject = $2', [environment, subject])
    },
  }
}

/**
 * SQL: whether work of this kind has been done since the obstacle was recorded. The success of a job is not enough,
 * because a job that finds nothing to do also succeeds.
 */
const isDone = `CASE o.subject
    WHEN 'intake' THEN EXISTS (SELECT FROM run r WHERE r.environment = o.environment AND greatest(r.published_at, r.braked_at) > o.seen_at)
    WHEN 'issue' THEN EXISTS (SELECT FROM (SELECT sending_at FROM attempt a WHERE a.environment = o.environment ORDER BY a.id DESC LIMIT 200) last
                              WHERE last.sending_at > o.seen_at)
    WHEN 'reconcile' THEN EXISTS (SELECT FROM scan s WHERE s.environment = o.environment AND s.complete AND s.ended_at > o.seen_at)
    ELSE false END`

const isPast = `(o.seen_at < clock_timestamp() - interval '${expiresAfter}' OR o.until < clock_timestamp() OR ${isDone})`

/** Returns the current obstacles of an environment, those that have existed longest first. */
export async function obstaclesOf(sql: Sql, environment: string): Promise<Obstacle[]> {
  const { rows } = await sql.query<Obstacle>(
    `SELECT subject, detail, since, until, error FROM obstacle o WHERE environment = $1 AND ${isPast} IS NOT TRUE ORDER BY since, subject`,
    [environment],
  )
  return rows
}

/** An obstacle as it was last recorded, whether or not it is current. */
export interface ObstacleRecord extends Omit<Obstacle, 'until'> {
  seenAt: Date
  /**
   * `done` means that such work has been done since. `unseen` means that the obstacle has not been recorded again,
   * perhaps because no worker has tried.
   */
  status: 'current' | 'done' | 'unseen'
}

export async function allObstacles(sql: Sql, environment: string): Promise<ObstacleRecord[]> {
  const { rows } = await sql.query<ObstacleRecord>(
    `SELECT subject, detail, since, error, seen_at AS "seenAt",
            CASE WHEN ${isPast} IS NOT TRUE THEN 'current' WHEN ${isDone} THEN 'done' ELSE 'unseen' END AS status
     FROM obstacle o WHERE environment = $1 AND NOT starts_with(subject, 'gate ') ORDER BY since, subject`,
    [environment],
  )
  return rows
}
