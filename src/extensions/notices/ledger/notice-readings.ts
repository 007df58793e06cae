// Reads from the ledger what notices are decided from: lists and their outcomes, what waits for a person, and what does
// not work. Returns counts, rules and our own sentences, and names no people. No statement costs more in an old ledger
// than in a new one (test/src/ledger/plans.test.ts). Reads the database only.

import { unsentStates, watchedStates } from '#src/domain/credential/state.ts'
import type { CoursePause } from '#src/ledger/attempts/courses.ts'
import { currentStops, type Stop } from '#src/ledger/attempts/sending-stops.ts'
import { rowsIn } from '#src/ledger/runs/run-counts.ts'
import { countWaitingChanges } from '#src/ledger/runs/waiting-changes.ts'
import { allObstacles, type ObstacleRecord } from '#src/ledger/workers/obstacles.ts'
import type { Database } from '#src/platform/database/database.ts'
import {
  type Arrival,
  arrivals,
  type Expecting,
  type Refusals,
  type RefusedList,
  refusals,
  refusedLists,
  type SentList,
  sentLists,
} from './list-readings.ts'
import { lastTried } from './notice-messages.ts'

/** Rows or lists of a pipeline that share something, and since when the oldest does. */
export interface WaitingCount {
  pipeline: string
  count: number
  since: Date
}

/** A part that has a problem. */
export interface Trouble {
  subject: 'archive' | 'inbox' | 'results' | 'delivery'
  pipeline: string
  problem: string
  since: Date | null
  /** Whether the part is in the configuration. */
  isWatched: boolean
}

/** A learning system that does not answer, or that answers with something that a person must put right. */
export interface SystemTrouble {
  system: string
  problem: string | null
  /** Null while it answers. */
  awaySince: Date | null
  awayBecause: string
  isWatched: boolean
}

/** A recipient whose last message was not accepted, or only in part. */
export interface FailingRecipient {
  recipient: string
  since: Date
  problem: string
  isPartial: boolean
  /** Its last message was given up, or an earlier one within the last hour. */
  isGivenUp: boolean
  /** When that message was made. */
  madeAt: Date
  /** When it was delivered in part or given up; null while it waits for its next try. */
  restedAt: Date | null
}

export interface NoticeReadings {
  lists: SentList[]
  refusedLists: RefusedList[]
  refusals: Refusals[]
  held: WaitingCount[]
  braked: WaitingCount[]
  /**
   * Revocations that need a person's decision; `pastAt`: when the last of those that the service refused had waited for
   * 30 days.
   */
  revocations: { count: number; since: Date | null; pastAt: Date | null }
  /** Rows of lists that differ from an issued credential, and wait for a correction. */
  changes: WaitingCount[]
  stops: Pick<Stop, 'since' | 'reason'>[]
  obstacles: ObstacleRecord[]
  /** Rows that are not final; `since` is when the oldest became open. */
  open: WaitingCount[]
  report: {
    /** Seconds by which the next reading of the report is late, while a row waits for one. */
    overdueS: number
    /** Whether a row waits for it. */
    isAwaited: boolean
    /** When it was last read completely. */
    readAt: Date | null
  }
  /** Paused courses, including those whose pause ended in the last minutes. */
  pauses: CoursePause[]
  troubles: Trouble[]
  systems: SystemTrouble[]
  /** Workers that are registered, and have not reported for five minutes. */
  stalledWorkers: { worker: string; host: string; since: Date }[]
  failing: FailingRecipient[]
  /** Erasures that somebody asked for and that are open, the oldest first. */
  erasures: { id: string; requestedAt: Date; waitsFor: string | null }[]
  arrivals: Arrival[]
  /** The readings that are empty because they were not asked for, or failed: nobody knows what they would show. */
  unread: { reading: Reading; error: unknown }[]
}

export type Reading = Exclude<keyof NoticeReadings, 'unread'>

/** What the configuration asks about. */
export interface ReadingScope {
  /** Lists that came before this are not summarized; null if nobody wants summaries. */
  summarizeFrom: Date | null
  /** Lists that were refused before this are not reported; null if nobody wants to know. */
  refusedFrom: Date | null
  /** Whether changed rows are counted, which costs more the more of them wait. */
  countsChanges: boolean
  pipelines: readonly string[]
  /** The pipelines with an inbox. */
  inboxes: readonly string[]
  /** Where outcomes are delivered. */
  targets: readonly { pipeline: string; name: string }[]
  recipients: readonly string[]
  expecting: readonly Expecting[]
  now: Date
}

/**
 * Each statement is cancelled after ten seconds: notices must never keep the database from its work. Everything is
 * found by an index, whatever the planner happens to know about the tables.
 */
const planning = `SET LOCAL statement_timeout = 10000; SET LOCAL enable_seqscan = off; SET LOCAL enable_sort = off;
  SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off`
/** If a reading fails, it is left out, and the others are still read. */
export function readForNotices(db: Database, environment: string, scope: ReadingScope): Promise<NoticeReadings> {
  return db.transaction(async (sql) => {
    await sql.query(planning)
    const unread: NoticeReadings['unread'] = []
    const read = async <Result>(reading: Reading, nothing: Result, work: () => Promise<Result>): Promise<Result> => {
      await sql.query('SAVEPOINT reading')
      try {
        return await work()
      } catch (error) {
        unread.push({ reading, error })
        // Fails, and with it all readings, if the connection is lost.
        await sql.query('ROLLBACK TO SAVEPOINT reading')
        return nothing
      }
    }
    const select = <Row extends object>(reading: Reading, text: string, ...values: unknown[]) =>
      read<Row[]>(reading, [], async () => (await sql.query<Row>(text, [environment, ...values])).rows)
    const [report] = await select<NoticeReadings['report']>('report', reportSql)
    const [revocations] = await select<NoticeReadings['revocations']>('revocations', revocationsSql)
    if (!scope.countsChanges) unread.push({ reading: 'changes', error: null })
    return {
      lists: await read('lists', [], async () =>
        scope.summarizeFrom ? sentLists(sql, environment, scope.summarizeFrom, scope.now) : [],
      ),
      refusedLists: await read('refusedLists', [], async () =>
        scope.refusedFrom ? refusedLists(sql, environment, scope.refusedFrom, scope.now) : [],
      ),
      refusals: await read('refusals', [], () => refusals(sql, environment, scope.pipelines)),
      held: await select(
        'held',
        `SELECT pipeline, count(*) AS count, min(state_since) AS since FROM issuance WHERE environment = $1 AND state = 'held' GROUP BY 1 ORDER BY 1`,
      ),
      braked: await select(
        'braked',
        `SELECT pipeline, count(*) AS count, min(braked_at) AS since FROM run
         WHERE environment = $1 AND state = 'braked' AND settled_at IS NULL GROUP BY 1 ORDER BY 1`,
      ),
      revocations: revocations ?? { count: 0, since: null, pastAt: null },
      stops: await read('stops', [], () => currentStops(sql, environment)),
      obstacles: await read('obstacles', [], () => allObstacles(sql, environment)),
      open: await select('open', openSql),
      report: report ?? { overdueS: 0, isAwaited: false, readAt: null },
      pauses: await select('pauses', pausesSql),
      troubles: await select(
        'troubles',
        troublesSql,
        ...[scope.inboxes, scope.targets.map(({ pipeline }) => pipeline), scope.targets.map(({ name }) => name)],
      ),
      systems: await select(
        'systems',
        `SELECT system, problem, away_since AS "awaySince", coalesce(away_because, '') AS "awayBecause", watched AS "isWatched"
         FROM learning_system WHERE environment = $1 AND (away_since IS NOT NULL OR problem IS NOT NULL) ORDER BY 1`,
      ),
      stalledWorkers: await select(
        'stalledWorkers',
        `SELECT substr(lock, 8, 8) AS worker, host, seen_at AS since FROM worker
         WHERE environment = $1 AND lock LIKE 'worker:%' AND seen_at < clock_timestamp() - interval '5 minutes' ORDER BY seen_at`,
      ),
      failing: await select('failing', failingSql, scope.recipients, scope.now),
      erasures: await select(
        'erasures',
        `SELECT id, requested_at AS "requestedAt", waits_for AS "waitsFor" FROM erasure
         WHERE environment = $1 AND kind = 'request' AND ended_at IS NULL ORDER BY requested_at, id LIMIT 20`,
      ),
      arrivals: await read('arrivals', [], () => arrivals(sql, environment, scope.expecting)),
      changes: await read('changes', [], async () =>
        scope.countsChanges ? countWaitingChanges(sql, environment) : [],
      ),
      unread,
    }
  }, 'repeatable read')
}

const reportSql = `
  SELECT a.awaited AS "isAwaited",
         CASE WHEN a.awaited THEN coalesce((SELECT greatest(0, extract(epoch FROM clock_timestamp() - due_at))::float FROM poller WHERE environment = $1), 0)
              ELSE 0 END AS "overdueS",
         (SELECT ended_at FROM scan WHERE environment = $1 AND complete ORDER BY started_at DESC LIMIT 1) AS "readAt"
  FROM (SELECT EXISTS (SELECT FROM issuance WHERE environment = $1 AND state IN ('unconfirmed', 'requested', 'in_progress')) AS awaited) a`

// As in revocationsToDecide, but also reads refusals that are too old to be listed there.
const revocationsSql = `
  SELECT count(*) FILTER (WHERE NOT is_past) AS count, min(wanted_at) FILTER (WHERE NOT is_past) AS since, max(wanted_at) FILTER (WHERE is_past) + interval '30 days' AS "pastAt" FROM (
    SELECT r.wanted_at, r.state = 'refused' AND r.correction IS NULL AND r.doubt IS NULL AND r.wanted_at <= clock_timestamp() - interval '30 days' AS is_past
    FROM revocation r LEFT JOIN issuance i ON i.id = r.issuance_id
    WHERE r.environment = $1 AND (r.doubt IS NOT NULL OR r.state IN ('refused', 'not_applied')) AND r.state <> 'seen' AND i.state IS DISTINCT FROM 'revoked'
      AND NOT EXISTS (SELECT FROM revocation later WHERE later.environment = $1 AND later.credential_id = r.credential_id AND later.id > r.id)) last`

// Open rows belong to runs that are not settled, and are counted as they move.
const openSql = `
  SELECT pipeline, sum(rows)::bigint AS count, min(since) AS since FROM (
    SELECT r.pipeline, greatest(r.published_at, r.reopened_at) AS since, ${rowsIn('r.id', [...unsentStates, ...watchedStates])} AS rows
    FROM run r WHERE r.environment = $1 AND r.settled_at IS NULL AND r.state = 'published') open
  WHERE rows > 0 GROUP BY 1 ORDER BY 1`

// After a pause one row is tried, and the course may be paused again.
const pausesSql = `
  SELECT course_uuid AS "courseUuid", pause_reason AS reason, coalesce(paused_since, clock_timestamp()) AS since, paused_until AS until,
         paused_after_trouble AS "afterTrouble"
  FROM course WHERE environment = $1 AND paused_until > clock_timestamp() - interval '5 minutes'`

const failingSql = `
  SELECT r AS recipient, coalesce(last.failing_since, g.at) AS since, coalesce(g.problem, last.problem, '') AS problem,
         last.delivered_at IS NOT NULL AND g.at IS NULL AS "isPartial", coalesce(g.at, last.given_up_at) IS NOT NULL AS "isGivenUp",
         CASE WHEN last.failing_since IS NULL THEN g.created_at ELSE last.created_at END AS "madeAt",
         CASE WHEN last.failing_since IS NULL THEN g.at ELSE coalesce(last.delivered_at, last.given_up_at) END AS "restedAt"
  FROM unnest($2::text[]) r
  LEFT JOIN ${lastTried('r')} last ON true
  LEFT JOIN LATERAL (
    SELECT given_up_at AS at, created_at, problem FROM notice_message m
    WHERE m.environment = $1 AND m.recipient = r AND given_up_at > $3::timestamptz - interval '1 hour' ORDER BY given_up_at DESC LIMIT 1) g ON true
  WHERE last.failing_since IS NOT NULL OR g.at IS NOT NULL`

/**
 * SQL: what is stuck, with a row for each trouble of a pipeline: archives, inboxes, results files and deliveries.
 * `isWatched` is false once nothing is configured that could end it. Parameters: the environment, the pipelines with an
 * inbox, and pipeline and name of each target.
 */
const troublesSql = `
  SELECT 'archive' AS subject, pipeline, problem, NULL::timestamptz AS since, watched AS "isWatched" FROM archive WHERE environment = $1 AND problem IS NOT NULL
  UNION ALL SELECT 'inbox', pipeline, problem, NULL, pipeline = ANY($2) FROM inbox_look WHERE environment = $1 AND problem IS NOT NULL
  UNION ALL SELECT 'results', r.pipeline, count(*) || ' results files are waiting to be written', min(r.settled_at), true
    FROM (SELECT run_id, written_at FROM write_back WHERE written < wanted) w CROSS JOIN LATERAL (SELECT * FROM run WHERE id = w.run_id OFFSET 0) r
    WHERE r.environment = $1 AND r.settled_at < clock_timestamp() - interval '1 hour'
      AND coalesce(w.written_at, '-infinity') < clock_timestamp() - interval '1 hour' GROUP BY r.pipeline
  UNION ALL SELECT 'delivery', pipeline, sum(waiting) FILTER (WHERE watched = any_watched) || ' outcomes wait until a learning system accepts them; \`credsync events\` says why',
      min(since) FILTER (WHERE watched = any_watched), any_watched
    FROM (SELECT *, bool_or(watched) OVER (PARTITION BY pipeline) AS any_watched FROM (
      SELECT i.pipeline, (i.pipeline, d.target) IN (SELECT * FROM unnest($3::text[], $4::text[])) AS watched, count(*) AS waiting, min(d.wanted_at) AS since
      FROM (SELECT issuance_id, target, wanted_at FROM delivery WHERE state = 'pending' AND refused) d
      CROSS JOIN LATERAL (SELECT environment, pipeline FROM issuance WHERE id = d.issuance_id OFFSET 0) i WHERE i.environment = $1 GROUP BY 1, 2) w) d
    GROUP BY pipeline, any_watched
  ORDER BY 1, 2`
