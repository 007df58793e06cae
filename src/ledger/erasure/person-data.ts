// Reads everything that the ledger holds of one person, for `credsync export`. What may be of somebody else is left out
// and counted: skipped rows with another name, events that name other people. Reads the database only.

import { type PersonRecord, recordOf, verdictOnCells } from '#src/domain/credential/records-of-person.ts'
import type { Sql } from '#src/platform/database/database.ts'
import { rowKey } from './found-person.ts'
import { type PersonEvents, readPersonEvents } from './person-events.ts'
import { type ComparisonOf, comparisonByRoles } from './person-records.ts'

type Cells = Readonly<Record<string, string>>

interface PersonIssuance {
  id: number
  pipeline: string
  course: string
  state: string
  stateSince: Date
  reason: string | null
  recipient: Cells | null
  reportStatus: string | null
  reportItem: string | null
  credentialId: string | null
  verifierLink: string | null
  issueDate: string | null
  validTill: string | null
  revokedDate: string | null
  corrects: number | null
  forgottenAt: Date | null
  history: {
    at: Date
    event: string
    from: string | null
    to: string | null
    evidence: Record<string, unknown> | null
  }[]
  revocations: {
    at: string
    state: string
    reason: string
    /** Null if it is the same reason. */
    correctionReason: string | null
    correction: Cells | null
    serviceMessage: string | null
  }[]
  told: { target: string; outcome: string; state: string; at: string; problem: string | null }[]
}

interface PersonRow {
  list: string
  receivedAt: Date
  pipeline: string
  run: string
  row: number
  outcome: string
  issuance: number | null
  header: string[] | null
  cells: string[]
  originalValues: unknown
  changedFields: string[] | null
  reason: string | null
  problems: { column: string; field: string; rule: string; value: string }[] | null
}

interface PersonCompletion {
  id: number
  system: string
  learner: string
  course: string
  completedAt: Date
  receivedAt: Date
  receivedBy: string
  pipeline: string
  data: Cells
}

export interface PersonFiles {
  certificates: { issuance: number; folder: string; file: string }[]
  images: { sha256: string; type: 'jpg' | 'png'; bytes: Buffer }[]
}

export interface PersonData extends PersonEvents {
  issuances: PersonIssuance[]
  rows: PersonRow[]
  completions: PersonCompletion[]
  /** Rows that name the same credential with another name: they may be of somebody else. */
  rowsLeftOut: { run: string; row: number }[]
}

/** What belongs to the person, as it was found. */
export interface PersonContent {
  ids: readonly number[]
  rows: readonly { run: string; row: number }[]
  completions: readonly number[]
}

/**
 * @param options.confirming for systems whose events are confirmed by another system: that system
 */
export async function readPersonData(
  sql: Sql,
  environment: string,
  content: PersonContent,
  { comparisonOf, confirming = {} }: { comparisonOf: ComparisonOf; confirming?: Readonly<Record<string, string>> },
): Promise<PersonData> {
  const issuances = await readIssuances(sql, content.ids)
  const completions = await readCompletions(sql, content)
  const records = issuances.flatMap((each): PersonRecord[] => {
    const { id, recipient, pipeline, course } = each
    if (!recipient) return []
    const comparison = comparisonOf(pipeline, course) ?? comparisonByRoles(recipient)
    return [recordOf({ id, source: '', recipient, identityHash: '', linked: [] }, comparison)]
  })
  const recipients = issuances.flatMap(({ recipient }) => (recipient ? [recipient] : []))
  const rows = await readRows(sql, content)
  const found = new Set(content.rows.map(rowKey))
  const isOwn = ({ run, row, outcome, changedFields, cells }: PersonRow) =>
    outcome !== 'skipped' ||
    found.has(rowKey({ run, row })) ||
    !changedFields ||
    cells.length === 0 ||
    verdictOnCells(cells, records) === 'same'
  return {
    issuances,
    rows: rows.filter(isOwn),
    completions,
    rowsLeftOut: rows.filter((row) => !isOwn(row)).map(({ run, row }) => ({ run, row })),
    ...(await readPersonEvents(sql, environment, { records, recipients, completions }, confirming)),
  }
}

/** SQL: whether the last call before it had other people in it, too: what the service wrote may name them. */
const isOfBatch = (step: string) => `EXISTS (SELECT FROM attempt a WHERE a.id = ${step}.attempt_id AND a.size > 1)`

/** Who decided, and another learner, are somebody else. */
const withoutOthers = (step: string) =>
  `CASE WHEN ${isOfBatch(step)} THEN ${step}.evidence - 'words' ELSE ${step}.evidence END - ARRAY['by', 'other', 'former']`

async function readIssuances(sql: Sql, ids: readonly number[]): Promise<PersonIssuance[]> {
  const { rows } = await sql.query<PersonIssuance>(
    `SELECT i.id, i.pipeline, i.course_uuid AS course, i.state, i.state_since AS "stateSince", i.recipient,
            CASE WHEN i.state <> 'unconfirmed' OR NOT ${isOfBatch('i')} THEN i.reason END AS reason,
            i.report_status AS "reportStatus", i.entity_uuid AS "reportItem", i.credential_id AS "credentialId", i.verifier_link AS "verifierLink",
            i.issue_date AS "issueDate", i.valid_till AS "validTill", i.revoked_date AS "revokedDate", i.corrects, e.emptied_at AS "forgottenAt",
            coalesce((SELECT json_agg(json_build_object('at', h.at, 'event', h.event, 'from', h.from_state, 'to', h.to_state, 'evidence', ${withoutOthers('h')}) ORDER BY h.id)
              FROM history h WHERE h.issuance_id = i.id), '[]') AS history,
            coalesce((SELECT json_agg(json_build_object('at', r.wanted_at, 'state', r.state, 'reason', r.why, 'correctionReason', r.correction_why, 'correction', r.correction->'recipient', 'serviceMessage', r.words) ORDER BY r.id)
              FROM revocation r WHERE r.issuance_id = i.id), '[]') AS revocations,
            coalesce((SELECT json_agg(json_build_object('target', d.target, 'outcome', d.wanted, 'state', d.state, 'at', coalesce(d.written_at, d.wanted_at), 'problem', d.problem) ORDER BY d.id)
              FROM delivery d WHERE d.issuance_id = i.id), '[]') AS told
     FROM issuance i LEFT JOIN erased_issuance e ON e.issuance_id = i.id WHERE i.id = ANY($1::bigint[]) ORDER BY i.id`,
    [ids],
  )
  return rows
}

async function readRows(sql: Sql, { ids, rows: invalid }: PersonContent): Promise<PersonRow[]> {
  const { rows } = await sql.query<PersonRow>(
    `SELECT run.source_name AS list, run.received_at AS "receivedAt", run.pipeline, r.run_id AS run, r.row_number AS row, r.outcome, r.issuance_id AS issuance,
            run.header, r.cells, r.raw AS "originalValues", r.changed_fields AS "changedFields", r.reason,
            (SELECT json_agg(json_build_object('column', v->>'column', 'field', v->>'field', 'rule', v->>'rule', 'value', v->>'value'))
             FROM jsonb_array_elements(r.violations) v) AS problems
     FROM run_row r JOIN run ON run.id = r.run_id
     WHERE r.issuance_id = ANY($1::bigint[]) OR (r.run_id, r.row_number) IN (SELECT * FROM unnest($2::uuid[], $3::int[]))
     ORDER BY run.received_at, r.run_id, r.row_number`,
    [ids, invalid.map(({ run }) => run), invalid.map(({ row }) => row)],
  )
  return rows
}

async function readCompletions(sql: Sql, { ids, completions }: PersonContent): Promise<PersonCompletion[]> {
  const { rows } = await sql.query<PersonCompletion>(
    `SELECT c.id, c.system, c.learner, c.course, c.completed_at AS "completedAt", c.found_at AS "receivedAt", c.found_by AS "receivedBy", c.pipeline, c.cells AS data
     FROM completion c WHERE c.id = ANY($1::bigint[])
       OR EXISTS (SELECT FROM run_row r WHERE r.run_id = c.run_id AND r.row_number = c.row_number AND r.outcome = 'accepted' AND r.issuance_id = ANY($2::bigint[]))
     ORDER BY c.id`,
    [completions, ids],
  )
  return rows
}

/** Certificates in archives, and images that are still stored. */
export async function readPersonFiles(sql: Sql, { ids, rows: invalid }: PersonContent): Promise<PersonFiles> {
  const { rows: certificates } = await sql.query<PersonFiles['certificates'][number]>(
    'SELECT issuance_id AS issuance, folder, file FROM archived_certificate WHERE issuance_id = ANY($1::bigint[]) AND file IS NOT NULL ORDER BY 1',
    [ids],
  )
  const { rows: images } = await sql.query<PersonFiles['images'][number]>(
    `SELECT encode(m.sha256, 'hex') AS sha256, m.type, m.bytes FROM image m WHERE m.sha256 IN (
       SELECT image_sha256 FROM issuance WHERE id = ANY($1::bigint[])
       UNION SELECT image_sha256 FROM run_row WHERE issuance_id = ANY($1::bigint[]) AND (outcome = 'accepted' OR changed_fields IS NULL)
       UNION SELECT image_sha256 FROM run_row WHERE (run_id, row_number) IN (SELECT * FROM unnest($2::uuid[], $3::int[]))) ORDER BY m.stored_at, 1`,
    [ids, invalid.map(({ run }) => run), invalid.map(({ row }) => row)],
  )
  return { certificates, images }
}
