// Reads the metrics of due and open work: runs and batches, the report, revocations, inboxes and workers.

import type { Sql } from '#src/platform/database/database.ts'
import type { QueueName } from '#src/platform/queue/queues.ts'
import { missingSql } from '../report/watching.ts'
import { registeredWorkers } from '../workers/worker-registration.ts'

export interface WorkMetrics {
  /** Due work by queue, as the sweep would enqueue it: runs to read, batches to send, and so on. */
  due: Partial<Record<QueueName, number>>
  /** The number of batches being sent. */
  sending: number
  writeBacks: number
  report: ReportMetrics
  revocations: { state: string; revocations: number }[]
  inboxes: { pipeline: string; unusable: boolean }[]
  /** The regular check of issued credentials (the watch); null before its first check. */
  watch: { endedAgoS: number; longestAgoS: number | null; missing: number } | null
  pausedCourses: number
  /** Whether sending is stopped until an operator releases it. */
  sendingStopped: boolean
  /** The number of surplus report items found so far. */
  surplusItems: number
  workers: number
}

interface ReportMetrics {
  /** Seconds since the last complete scan ended; null if there was none. */
  readAgoS: number | null
  /** Seconds by which the next scan is late; 0 if no scan is due, or no row waits for one. */
  overdueS: number
  /**
   * Seconds between the response to a call and the first report that showed it, for the call that appeared in the
   * report last; null if none has appeared yet.
   */
  lagS: number | null
  /**
   * Seconds since the response to the oldest accepted call that the report has not shown and that still has a waiting
   * row; 0 if there is no such call.
   */
  unseenS: number
}

export async function readWorkMetrics(sql: Sql, environment: string): Promise<WorkMetrics> {
  const select = async <Row extends object>(text: string) => (await sql.query<Row>(text, [environment])).rows
  const [counts] = await select<Counts>(countsOfWork)
  const reading = await readReportMetrics(sql, environment)
  const [watch] = await select<NonNullable<WorkMetrics['watch']>>(watchMetricsSql)
  const { received, prepared, revocationsDue, watchDue, ...others } = counts as Counts
  return {
    due: {
      intake: received,
      issue: prepared,
      reconcile: Number(reading.overdueS > 0 || revocationsDue) + Number(watchDue),
      'write-back': others.writeBacks,
    },
    ...others,
    report: reading,
    watch: watch ?? null,
    revocations: await select(revocationMetricsSql),
    inboxes: await select(`SELECT pipeline, problem IS NOT NULL AS unusable FROM inbox_look WHERE environment = $1`),
    workers: (await registeredWorkers(sql)).filter((worker) => worker.environment === environment).length,
  }
}

async function readReportMetrics(sql: Sql, environment: string): Promise<ReportMetrics> {
  const { rows } = await sql.query<ReportMetrics>(reportMetricsSql, [environment])
  return rows[0] as ReportMetrics
}

interface Counts
  extends Pick<WorkMetrics, 'sending' | 'writeBacks' | 'pausedCourses' | 'sendingStopped' | 'surplusItems'> {
  received: number
  prepared: number
  revocationsDue: boolean
  watchDue: boolean
}

const countsOfWork = `
  SELECT (SELECT count(*) FROM run WHERE environment = $1 AND state = 'received') AS received, a.prepared, a.sending,
         EXISTS (SELECT FROM revocation WHERE environment = $1 AND state IN ('wanted', 'unconfirmed', 'accepted') AND due_at <= clock_timestamp()) AS "revocationsDue",
         EXISTS (SELECT FROM credential_watch WHERE environment = $1 AND due_at <= clock_timestamp()) AS "watchDue",
         (SELECT count(*) FROM write_back w JOIN run ON run.id = w.run_id WHERE run.environment = $1 AND w.written < w.wanted) AS "writeBacks",
         (SELECT count(*) FROM course WHERE environment = $1 AND paused_until > clock_timestamp()) AS "pausedCourses",
         EXISTS (SELECT FROM claim_counter WHERE environment = $1 AND stopped) AS "sendingStopped",
         (SELECT count(*) FROM surplus_item WHERE environment = $1) AS "surplusItems"
  FROM (SELECT count(*) FILTER (WHERE phase = 'prepared') AS prepared, count(*) FILTER (WHERE phase = 'sending') AS sending
        FROM attempt WHERE environment = $1 AND phase IN ('prepared', 'sending')) a`

// The last thousand calls are enough: older calls are settled, or their age shows in the metrics of their rows.
const reportMetricsSql = `
  WITH last AS MATERIALIZED (
    SELECT id, ended_at, shown_at FROM attempt WHERE environment = $1 AND outcome = 'accepted' ORDER BY id DESC LIMIT 1000)
  SELECT (SELECT extract(epoch FROM clock_timestamp() - ended_at)::float FROM scan WHERE environment = $1 AND complete ORDER BY started_at DESC LIMIT 1) AS "readAgoS",
         CASE WHEN EXISTS (SELECT FROM issuance WHERE environment = $1 AND state IN ('unconfirmed', 'requested', 'in_progress'))
           THEN coalesce((SELECT greatest(0, extract(epoch FROM clock_timestamp() - due_at))::float FROM poller WHERE environment = $1), 0) ELSE 0 END AS "overdueS",
         (SELECT greatest(0, extract(epoch FROM shown_at - ended_at))::float FROM last WHERE shown_at IS NOT NULL ORDER BY shown_at DESC LIMIT 1) AS "lagS",
         -- The oldest first, and no further: while a list is issued, hundreds of calls are not shown yet.
         coalesce((SELECT extract(epoch FROM clock_timestamp() - ended_at)::float FROM (SELECT id, ended_at FROM last WHERE shown_at IS NULL ORDER BY ended_at OFFSET 0) l
           WHERE EXISTS (SELECT FROM attempt_item t JOIN issuance i ON i.id = t.issuance_id
             WHERE t.attempt_id = l.id AND i.state IN ('unconfirmed', 'requested', 'in_progress') OFFSET 0) LIMIT 1), 0) AS "unseenS"`

const watchMetricsSql = `
  SELECT extract(epoch FROM clock_timestamp() - w.ended_at)::float AS "endedAgoS", extract(epoch FROM clock_timestamp() - w.looked_since)::float AS "longestAgoS",
         ${missingSql} AS missing FROM credential_watch w WHERE w.environment = $1 AND w.ended_at IS NOT NULL`

const revocationMetricsSql = `
  SELECT state, count(*) AS revocations FROM revocation
  WHERE environment = $1 AND state IN ('wanted', 'sending', 'unconfirmed', 'accepted') GROUP BY state`
