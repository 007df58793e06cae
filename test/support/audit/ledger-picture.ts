// Reads everything the auditor needs from the ledger in one snapshot, because workers may be running at the time.

import type { State } from '#src/domain/credential/state.ts'
import type { Sql } from '#src/platform/database/database.ts'
import type { World } from '#test/support/world.ts'

export interface HistoryLine {
  event: string
  from: State | null
  to: State | null
  attempt: number | null
}

/** The state of one issuance. */
export interface RowPicture {
  id: number
  course: string
  run: string
  state: State
  /** The values that were sent; null after the person's data was removed. */
  recipient: Record<string, string> | null
  entityUuid: string | null
  credentialId: string | null
  /** The issuance that this one replaced. */
  corrects: number | null
  /** Keys of the report items that are claimed for the issuance. */
  claims: string[]
  /** Whether the row has a due time that will be reached. */
  due: boolean
  /** Phases of the open attempts that contain the row. */
  attemptPhases: string[]
  history: HistoryLine[]
}

export interface AttemptPicture {
  id: number
  course: string
  phase: 'prepared' | 'sending' | 'ended' | 'dropped'
  outcome: string | null
  status: number | null
  size: number
  /** Whether the call was claimed, so that it may have been sent. */
  claimed: boolean
  hasDeadline: boolean
  /** Ids of the attempt's issuances, in sending order. */
  rows: number[]
  /** Number of its rows that are still in it. */
  openRows: number
}

export interface RunPicture {
  id: string
  name: string
  state: 'received' | 'published' | 'refused' | 'braked'
  rows: number
  /** Number of rows that are invalid, skipped or accepted. */
  sum: number
  accepted: number
  issuances: number
  /** States whose kept count differs from the number of rows. */
  miscounted: string[]
  staged: number
  settled: boolean
  resultsPath: string | null
  /** Whether the source is a learning system. Outcomes are delivered to it directly, so no results file is expected. */
  hasCompletions: boolean
  /** How many times results were requested; null if never. */
  wanted: number | null
  /** The latest of these requests whose results were delivered. */
  delivered: number | null
  /** The rows of the source in order, each with the id of its issuance. */
  lines: { outcome: 'accepted' | 'skipped' | 'changed' | 'invalid'; issuance: number | null }[]
}

export interface LedgerPicture {
  rows: RowPicture[]
  attempts: AttemptPicture[]
  runs: RunPicture[]
  /** Whether another scan of the report is scheduled. */
  pollerDue: boolean
  /** Report items that are both claimed and counted as surplus. */
  surplusClaimed: string[]
}

export function readLedger({ app }: World): Promise<LedgerPicture> {
  return app.database.transaction(async (sql) => {
    const rows = await queryRows<RowPicture>(sql, rowsSql)
    const attempts = await queryRows<AttemptPicture>(sql, attemptsSql)
    const runs = await queryRows<RunPicture>(sql, runsSql)
    const [schedule] = await queryRows<{ pollerDue: boolean; surplusClaimed: string[] }>(sql, scheduleSql)
    return {
      rows,
      attempts,
      runs,
      pollerDue: schedule?.pollerDue ?? false,
      surplusClaimed: schedule?.surplusClaimed ?? [],
    }
  }, 'repeatable read')
}

async function queryRows<Row extends object>(sql: Sql, text: string): Promise<Row[]> {
  return (await sql.query<Row>(text)).rows
}

const rowsSql = `
  SELECT i.id, i.course_uuid AS course, i.run_id AS run, i.state, i.recipient, i.entity_uuid AS "entityUuid", i.credential_id AS "credentialId", i.corrects,
         i.due_at < 'infinity' AS due,
         ARRAY(SELECT c.item_key FROM report_claim c WHERE c.issuance_id = i.id) AS claims,
         ARRAY(SELECT a.phase FROM attempt_item t JOIN attempt a ON a.id = t.attempt_id WHERE t.issuance_id = i.id AND a.id = i.open_attempt) AS "attemptPhases",
         (SELECT coalesce(json_agg(json_build_object('event', h.event, 'from', h.from_state, 'to', h.to_state, 'attempt', h.attempt_id) ORDER BY h.id), '[]')
          FROM history h WHERE h.issuance_id = i.id) AS history
  FROM issuance i ORDER BY i.id`

const attemptsSql = `
  SELECT a.id, a.course_uuid AS course, a.phase, a.outcome, a.http_status AS status, a.size, a.sending_at IS NOT NULL AS claimed,
         coalesce(a.deadline_at < 'infinity', false) AS "hasDeadline",
         (SELECT coalesce(json_agg(t.issuance_id ORDER BY t.position), '[]') FROM attempt_item t WHERE t.attempt_id = a.id) AS rows,
         (SELECT count(*) FROM attempt_item t JOIN issuance i ON i.id = t.issuance_id WHERE t.attempt_id = a.id AND i.open_attempt = a.id) AS "openRows"
  FROM attempt a ORDER BY a.sending_at, a.id`

const runsSql = `
  SELECT run.id, run.source_name AS name, run.state, run.rows, run.invalid + run.skipped + run.accepted AS sum, run.accepted,
         run.settled_at IS NOT NULL AS settled, run.results_path AS "resultsPath", run.source_path LIKE 'completions:%' AS "hasCompletions", w.wanted, w.written AS delivered,
         (SELECT count(*) FROM issuance i WHERE i.run_id = run.id) AS issuances,
         ARRAY(SELECT state || ': ' || coalesce(c.rows, 0) || ' counted, ' || coalesce(i.rows, 0) || ' held'
               FROM (SELECT state, sum(rows) AS rows FROM run_count WHERE run_id = run.id GROUP BY state) c
               FULL JOIN (SELECT state, count(*) AS rows FROM issuance WHERE run_id = run.id GROUP BY state) i USING (state)
               WHERE coalesce(c.rows, 0) <> coalesce(i.rows, 0)) AS miscounted,
         (SELECT count(*) FROM staged_row s WHERE s.run_id = run.id) AS staged,
         (SELECT coalesce(json_agg(json_build_object('outcome', CASE WHEN r.changed_fields IS NULL THEN r.outcome ELSE 'changed' END, 'issuance', r.issuance_id) ORDER BY r.row_number), '[]')
          FROM run_row r WHERE r.run_id = run.id) AS lines
  FROM run LEFT JOIN write_back w ON w.run_id = run.id ORDER BY run.received_at, run.id`

// Two days is longer than any pause or interval in the program, but still finite.
const scheduleSql = `
  SELECT EXISTS (SELECT FROM poller WHERE due_at < clock_timestamp() + interval '2 days') AS "pollerDue",
         ARRAY(SELECT s.item_key FROM surplus_item s JOIN report_claim c ON c.environment = s.environment AND c.item_key = s.item_key) AS "surplusClaimed"`
