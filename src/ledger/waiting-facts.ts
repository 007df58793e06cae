// Reads all facts that may explain what a run is waiting for. A command polls them while an operator waits for the run,
// so each part is queried only if it concerns rows of the run. Reads the database only.

import { countIn, type StateCounts, watchedStates } from '#src/domain/credential/state.ts'
import type { Sql } from '#src/platform/database/database.ts'
import { type CoursePause, pauses } from './attempts/courses.ts'
import { currentStops, type Stop } from './attempts/sending-stops.ts'
import type { Run } from './runs/runs.ts'
import { type Obstacle, obstaclesOf } from './workers/obstacles.ts'
import { isAliveSql, worksOnListsSql } from './workers/worker-registration.ts'

export interface WaitingFacts {
  run: Pick<Run, 'state' | 'brake' | 'waits'>
  states: StateCounts
  /**
   * Whether a worker that processes lists is running in the run's environment, rather than only a process that serves
   * pages.
   */
  worker: boolean
  brakedAt: Date | null
  /** Since when the run has been unreadable for the reason in `run.waits`. */
  waitsSince: Date | null
  /** Since when no worker has been able to read the run's file. */
  missedAt: Date | null
  /** Why sending is stopped, and since when; null if it is not stopped. */
  stop: Pick<Stop, 'since' | 'reason'> | null
  pause: CoursePause | null
  /** Since when a canary call has been in progress. */
  canarySince: Date | null
  obstacles: readonly Obstacle[]
  /** The numbers of unsent rows that have a reason to wait, by reason, and when the first of them is due. */
  rows: readonly { reason: string; count: number; until: Date | null }[]
  /** When the oldest outcome that is still unknown became unknown. */
  doubtedSince: Date | null
  /**
   * The number of scans of the report that have ended early since the last complete one, and when the first of them
   * began.
   */
  cutReadings: number
  cutSince: Date | null
  /** When the next scan of the report is due. */
  nextReading: Date | null
}

type QueriedFacts = Omit<WaitingFacts, 'run' | 'states' | 'stop' | 'pause' | 'canarySince' | 'obstacles' | 'rows'>

export function waitingStore(db: Sql) {
  return {
    async facts({ run, states }: { run: Run; states: StateCounts }): Promise<WaitingFacts> {
      const { environment, courseUuid } = run
      const toSend = run.state === 'published' && states.pending > 0 && courseUuid !== null
      const { rows } = await db.query<QueriedFacts>(
        `SELECT EXISTS (SELECT FROM worker w WHERE w.environment = $1 AND ${isAliveSql} AND ${worksOnListsSql}) AS worker, r.braked_at AS "brakedAt", r.missed_at AS "missedAt", r.waits_since AS "waitsSince",
                (SELECT min(state_since) FROM issuance WHERE environment = $1 AND run_id = r.id AND state = 'unconfirmed' AND $3) AS "doubtedSince",
                cut.count AS "cutReadings", cut.since AS "cutSince",
                (SELECT due_at FROM poller WHERE environment = $1) AS "nextReading"
         FROM run r,
           LATERAL (SELECT count(*)::int AS count, min(s.started_at) AS since FROM scan s WHERE s.environment = $1 AND s.ended_at IS NOT NULL
                      AND s.started_at > coalesce((SELECT max(started_at) FROM scan WHERE environment = $1 AND complete), '-infinity')) cut
         WHERE r.id = $2`,
        [environment, run.id, countIn(states, watchedStates) > 0],
      )
      const [known] = rows
      if (!known) throw new Error(`The ledger has no run ${run.id}.`)
      const paused = toSend ? await pauses(db, environment) : []
      return {
        run,
        states,
        ...known,
        stop: toSend ? ((await currentStops(db, environment))[0] ?? null) : null,
        pause: paused.find((each) => each.courseUuid === courseUuid) ?? null,
        canarySince: toSend ? await canarySince(db, environment, courseUuid) : null,
        obstacles: await obstaclesOf(db, environment),
        rows: toSend ? await reasonsOf(db, run) : [],
      }
    },
  }
}

async function canarySince(sql: Sql, environment: string, course: string): Promise<Date | null> {
  const { rows } = await sql.query<{ since: Date }>(
    `SELECT coalesce(a.sending_at, a.prepared_at) AS since FROM attempt a
     LEFT JOIN course c ON c.environment = a.environment AND c.course_uuid = a.course_uuid
     WHERE a.environment = $1 AND a.course_uuid = $2 AND a.phase IN ('prepared', 'sending') AND a.size = 1 AND NOT EXISTS (
       SELECT FROM attempt t WHERE t.environment = $1 AND t.course_uuid = $2 AND t.outcome = 'accepted'
         AND t.sending_at > coalesce(c.canary_since, '-infinity'))
     ORDER BY a.id LIMIT 1`,
    [environment, course],
  )
  return rows[0]?.since ?? null
}

/**
 * Returns the five most frequent reasons why the run's pending rows wait. A row that has been due for ten seconds no
 * longer waits for its last recorded reason, so it is left out.
 */
async function reasonsOf(sql: Sql, { id, environment, pipeline }: Run): Promise<WaitingFacts['rows']> {
  const { rows } = await sql.query<WaitingFacts['rows'][number]>(
    `SELECT reason, count(*)::int AS count, min(due_at) FILTER (WHERE due_at > clock_timestamp()) AS until
     FROM issuance WHERE environment = $2 AND pipeline = $3 AND run_id = $1 AND state = 'pending' AND reason IS NOT NULL AND due_at < 'infinity'
       AND due_at > clock_timestamp() - interval '10 seconds'
     GROUP BY reason ORDER BY 2 DESC, 1 LIMIT 5`,
    [id, environment, pipeline],
  )
  return rows
}
