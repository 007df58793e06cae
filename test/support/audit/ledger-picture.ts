// Everything the auditor asks of the ledger, read in one instant: a worker may be at work while somebody audits.

import type { Sql } from '#src/database/database.ts'
import type { State } from '#src/issuance/state.ts'
import type { World } from '#test/support/world.ts'

export interface HistoryLine {
  event: string
  from: State | null
  to: State | null
  attempt: number | null
}

/** One issuance. */
export interface RowPicture {
  id: number
  course: string
  run: string
  state: State
  /** What is sent; null once the person was forgotten. */
  recipient: Record<string, string> | null
  entityUuid: string | null
  credentialId: string | null
  /** The issuance whose place it took. */
  corrects: number | null
  /** Keys of the report items that it has claimed. */
  claims: string[]
  /** Whether its own due time will ever come. */
  due: boolean
  /** Phases of the attempts that it travels in now. */
  travelsIn: string[]
  history: HistoryLine[]
}

export interface AttemptPicture {
  id: number
  course: string
  phase: 'prepared' | 'sending' | 'ended' | 'dropped'
  outcome: string | null
  status: number | null
  size: number
  passed: boolean
  hasDeadline: boolean
  /** Issuances, in the order of sending. */
  rows: number[]
  open: number
}

export interface RunPicture {
  id: string
  name: string
  state: 'received' | 'published' | 'refused' | 'braked'
  rows: number
  sum: number
  accepted: number
  issuances: number
  staged: number
  settled: boolean
  resultsPath: string | null
  /** A learning system told of its rows, and is told itself: nobody waits for a file. */
  ofCompletions: boolean
  /** Null when nobody wants its results told. */
  wanted: number | null
  told: number | null
  /** Its source's rows in order, with the issuance that each one names. */
  lines: { outcome: 'accepted' | 'skipped' | 'changed' | 'invalid'; issuance: number | null }[]
}

export interface LedgerPicture {
  rows: RowPicture[]
  attempts: AttemptPicture[]
  runs: RunPicture[]
  /** Whether the report will be read again by itself. */
  pollerDue: boolean
  /** Report items that are counted as surplus and claimed all the same. */
  surplusClaimed: string[]
}

export function readLedger({ app }: World): Promise<LedgerPicture> {
  return app.database.transaction(async (sql) => {
    const rows = await all<RowPicture>(sql, rowsSql)
    const attempts = await all<AttemptPicture>(sql, attemptsSql)
    const runs = await all<RunPicture>(sql, runsSql)
    const [rest] = await all<{ pollerDue: boolean; surplusClaimed: string[] }>(sql, restSql)
    return { rows, attempts, runs, pollerDue: rest?.pollerDue ?? false, surplusClaimed: rest?.surplusClaimed ?? [] }
  }, 'repeatable read')
}

async function all<Row extends object>(sql: Sql, text: string): Promise<Row[]> {
  return (await sql.query<Row>(text)).rows
}

const rowsSql = `
  SELECT i.id, i.course_uuid AS course, i.run_id AS run, i.state, i.recipient, i.entity_uuid AS "entityUuid", i.credential_id AS "credentialId", i.corrects,
         i.due_at < 'infinity' AS due,
         ARRAY(SELECT c.item_key FROM claim c WHERE c.issuance_id = i.id) AS claims,
         ARRAY(SELECT a.phase FROM attempt_item t JOIN attempt a ON a.id = t.attempt_id WHERE t.issuance_id = i.id AND t.open) AS "travelsIn",
         (SELECT coalesce(json_agg(json_build_object('event', h.event, 'from', h.from_state, 'to', h.to_state, 'attempt', h.attempt_id) ORDER BY h.id), '[]')
          FROM history h WHERE h.issuance_id = i.id) AS history
  FROM issuance i ORDER BY i.id`

const attemptsSql = `
  SELECT a.id, a.course_uuid AS course, a.phase, a.outcome, a.http_status AS status, a.size, a.sending_at IS NOT NULL AS passed,
         coalesce(a.deadline_at < 'infinity', false) AS "hasDeadline",
         (SELECT coalesce(json_agg(t.issuance_id ORDER BY t.position), '[]') FROM attempt_item t WHERE t.attempt_id = a.id) AS rows,
         (SELECT count(*) FROM attempt_item t WHERE t.attempt_id = a.id AND t.open) AS open
  FROM attempt a ORDER BY a.sending_at, a.id`

const runsSql = `
  SELECT run.id, run.source_name AS name, run.state, run.rows, run.invalid + run.skipped + run.accepted AS sum, run.accepted,
         run.settled_at IS NOT NULL AS settled, run.results_path AS "resultsPath", run.source_path LIKE 'completions:%' AS "ofCompletions", w.wanted, w.told,
         (SELECT count(*) FROM issuance i WHERE i.run_id = run.id) AS issuances,
         (SELECT count(*) FROM staged_row s WHERE s.run_id = run.id) AS staged,
         (SELECT coalesce(json_agg(json_build_object('outcome', CASE WHEN r.changed_fields IS NULL THEN r.outcome ELSE 'changed' END, 'issuance', r.issuance_id) ORDER BY r.row_number), '[]')
          FROM run_row r WHERE r.run_id = run.id) AS lines
  FROM run LEFT JOIN write_back w ON w.run_id = run.id ORDER BY run.received_at, run.id`

// Two days: slower than any pause or cadence of the house, sooner than never.
const restSql = `
  SELECT EXISTS (SELECT FROM poller WHERE due_at < clock_timestamp() + interval '2 days') AS "pollerDue",
         ARRAY(SELECT s.item_key FROM surplus_item s JOIN claim c ON c.environment = s.environment AND c.item_key = s.item_key) AS "surplusClaimed"`
