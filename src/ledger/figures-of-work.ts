// Figures of what the ledger has to do and what it waits for: due work, the report, revocations, archives, inboxes, workers.

import type { Sql } from '#src/database/database.ts'
import { shownWorkers } from './shown-worker.ts'

export interface WorkFigures {
  /** Work that is due, as the sweeper would ask for it: runs to be read, batches to be sent, and so on, by the queue that does it. */
  due: Record<'intake' | 'issue' | 'reconcile' | 'write-back' | 'archive', number>
  /** Batches that are under way. */
  sending: number
  writeBacks: number
  report: ReportFigures
  revocations: { state: string; revocations: number }[]
  archives: { pipeline: string; waiting: number; kept: number; stuck: boolean }[]
  inboxes: { pipeline: string; unusable: boolean }[]
  pausedCourses: number
  /** Items of the report beyond the one that was asked for, ever. */
  surplusItems: number
  workers: number
}

export interface ReportFigures {
  /** Seconds since the last complete reading ended; null where there was none. */
  readAgoS: number | null
  /** Seconds by which the next reading is late; 0 where none is due, or nothing is looked for. */
  overdueS: number
  /** Seconds from the answer of a call until the report showed it, of the call that it showed last; null where it showed none yet. */
  lagS: number | null
  /** Seconds since the answer of the oldest call that was accepted, that the report has not shown, and of which a row waits for it; 0 for none. */
  unseenS: number
}

export async function figuresOfWork(sql: Sql, environment: string): Promise<WorkFigures> {
  const one = async <Row extends object>(text: string) => (await sql.query<Row>(text, [environment])).rows
  const [counts] = await one<Counts>(countsOfWork)
  const [report] = await one<ReportFigures>(reportFigures)
  const archives = await one<WorkFigures['archives'][number] & { due: boolean }>(archiveFigures)
  const { received, prepared, revocationsDue, ...others } = counts as Counts
  const reading = report as ReportFigures
  return {
    due: {
      intake: received,
      issue: prepared,
      reconcile: Number(reading.overdueS > 0 || revocationsDue),
      'write-back': others.writeBacks,
      archive: archives.filter((archive) => archive.due).length,
    },
    ...others,
    report: reading,
    revocations: await one(openRevocations),
    archives: archives.map(({ due: _, ...archive }) => archive),
    inboxes: await one(`SELECT pipeline, problem IS NOT NULL AS unusable FROM inbox_look WHERE environment = $1`),
    workers: (await shownWorkers(sql)).filter((worker) => worker.environment === environment).length,
  }
}

interface Counts {
  received: number
  prepared: number
  sending: number
  revocationsDue: boolean
  writeBacks: number
  pausedCourses: number
  surplusItems: number
}

const countsOfWork = `
  SELECT (SELECT count(*) FROM run WHERE environment = $1 AND state = 'received') AS received, a.prepared, a.sending,
         EXISTS (SELECT FROM revocation WHERE environment = $1 AND state IN ('wanted', 'unconfirmed', 'accepted') AND due_at <= clock_timestamp()) AS "revocationsDue",
         (SELECT count(*) FROM write_back w JOIN run ON run.id = w.run_id WHERE run.environment = $1 AND w.told < w.wanted) AS "writeBacks",
         (SELECT count(*) FROM course WHERE environment = $1 AND paused_until > clock_timestamp()) AS "pausedCourses",
         (SELECT count(*) FROM surplus_item WHERE environment = $1) AS "surplusItems"
  FROM (SELECT count(*) FILTER (WHERE phase = 'prepared') AS prepared, count(*) FILTER (WHERE phase = 'sending') AS sending
        FROM attempt WHERE environment = $1 AND phase IN ('prepared', 'sending')) a`

// The last calls stand for all: what is older than a thousand calls was settled, or is seen in the age of the rows.
const reportFigures = `
  WITH last AS MATERIALIZED (
    SELECT id, ended_at, shown_at FROM attempt WHERE environment = $1 AND outcome = 'accepted' ORDER BY id DESC LIMIT 1000)
  SELECT (SELECT extract(epoch FROM clock_timestamp() - ended_at)::float FROM scan WHERE environment = $1 AND complete ORDER BY started_at DESC LIMIT 1) AS "readAgoS",
         CASE WHEN EXISTS (SELECT FROM issuance WHERE environment = $1 AND state IN ('unconfirmed', 'requested', 'in_progress'))
           THEN coalesce((SELECT greatest(0, extract(epoch FROM clock_timestamp() - due_at))::float FROM poller WHERE environment = $1), 0) ELSE 0 END AS "overdueS",
         (SELECT greatest(0, extract(epoch FROM shown_at - ended_at))::float FROM last WHERE shown_at IS NOT NULL ORDER BY shown_at DESC LIMIT 1) AS "lagS",
         coalesce((SELECT extract(epoch FROM clock_timestamp() - min(ended_at))::float FROM last WHERE shown_at IS NULL AND EXISTS (
           SELECT FROM attempt_item t JOIN issuance i ON i.id = t.issuance_id
           WHERE t.attempt_id = last.id AND i.state IN ('unconfirmed', 'requested', 'in_progress'))), 0) AS "unseenS"`

const openRevocations = `
  SELECT state, count(*) AS revocations FROM revocation
  WHERE environment = $1 AND state IN ('wanted', 'sending', 'unconfirmed', 'accepted') GROUP BY state`

const archiveFigures = `
  SELECT a.pipeline, w.waiting, a.kept, a.problem IS NOT NULL AS stuck, w.waiting > 0 AND a.due_at <= clock_timestamp() AS due
  FROM archive a, LATERAL (
    SELECT count(*) AS waiting FROM issuance i
    WHERE i.environment = $1 AND i.pipeline = a.pipeline AND i.state = 'issued' AND i.archive_due_at IS NOT NULL) w
  WHERE a.environment = $1 AND a.watched`
