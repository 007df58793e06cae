// Reads everything that the ledger holds of one person, for `credsync export`. Events that name other people as well
// are left out, and named by their ids. Reads the database only.

import { isOfItsPerson } from '#src/ledger/forgotten-people.ts'
import type { Sql } from '#src/platform/database/database.ts'
import type { Confirming } from './empty-events.ts'
import { peopleInEvent, valuesInEvents } from './people-in-event.ts'
import type { Records } from './person-records.ts'

type Cells = Readonly<Record<string, string>>

/** What is said of one record, by name. */
type Facts = Record<string, unknown>

export interface PersonData {
  /** With `history`, `revocations` and what was `told` to learning systems. */
  issuances: (Facts & { id: number; recipient: Cells | null })[]
  rows: (Facts & { list: string; row: number; header: string[] | null; cells: string[] })[]
  completions: (Facts & { id: number; system: string; learner: string; data: Cells })[]
  events: (EventName & { headers: Record<string, string>; body: string })[]
  /** Events in which other people occur as well, or may. */
  sharedEvents: EventName[]
}

interface EventName {
  id: number
  system: string
  receivedAt: Date
}

export interface PersonFiles {
  certificates: { issuance: number; folder: string; file: string }[]
  images: { sha256: string; type: 'jpg' | 'png'; bytes: Buffer }[]
}

export async function readPersonData(
  sql: Sql,
  environment: string,
  content: Records,
  confirming: Confirming,
): Promise<PersonData> {
  const issuances = await readIssuances(sql, content.ids)
  const completions = await readCompletions(sql, content.completions)
  const rows = await readRows(sql, content)
  return {
    issuances,
    rows,
    completions,
    ...(await readEvents(sql, environment, { issuances, completions }, confirming)),
  }
}

const pageSize = 500

async function readEvents(
  sql: Sql,
  environment: string,
  { issuances, completions }: Pick<PersonData, 'issuances' | 'completions'>,
  confirming: Confirming,
): Promise<Pick<PersonData, 'events' | 'sharedEvents'>> {
  const found: Pick<PersonData, 'events' | 'sharedEvents'> = { events: [], sharedEvents: [] }
  const values = valuesInEvents(
    issuances.flatMap(({ recipient }) => (recipient ? [recipient] : [])),
    completions.map(({ data }) => data),
  )
  const bySystem = Map.groupBy(completions, ({ system }) => system)
  for (let after = 0; ; ) {
    const { rows } = await sql.query<EventName & { headers: Record<string, string>; body: Buffer }>(
      `SELECT id, system, arrived_at AS "receivedAt", headers, body FROM inbound_event
       WHERE environment = $1 AND id > $2 AND body IS NOT NULL ORDER BY id LIMIT ${pageSize}`,
      [environment, after],
    )
    for (const { body, headers, ...named } of rows) {
      const learners = bySystem.get(confirming[named.system] ?? named.system)?.map(({ learner }) => learner)
      const people = peopleInEvent(body, { learners: new Set(learners), values })
      if (people === 'alone') found.events.push({ ...named, headers, body: body.toString('utf8') })
      if (people === 'shared') found.sharedEvents.push(named)
    }
    const last = rows.at(-1)
    if (!last) return found
    after = last.id
  }
}

/** SQL: whether the last call before it had other people in it, too: what the service wrote may name them. */
const isOfBatch = (step: string) => `EXISTS (SELECT FROM attempt a WHERE a.id = ${step}.attempt_id AND a.size > 1)`

/** Who decided, and another learner, are somebody else. */
const withoutOthers = (step: string) =>
  `CASE WHEN ${isOfBatch(step)} THEN ${step}.evidence - 'words' ELSE ${step}.evidence END - ARRAY['by', 'other', 'former']`

async function readIssuances(sql: Sql, ids: readonly number[]) {
  const { rows } = await sql.query<PersonData['issuances'][number]>(
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

async function readRows(sql: Sql, { ids, rows: invalid }: Records) {
  const { rows } = await sql.query<PersonData['rows'][number]>(
    `SELECT run.source_name AS list, run.received_at AS "receivedAt", run.pipeline, r.run_id AS run, r.row_number AS row, r.outcome, r.issuance_id AS issuance,
            run.header, r.cells, r.raw AS "originalValues", r.changed_fields AS "changedFields", r.reason,
            (SELECT json_agg(json_build_object('column', v->>'column', 'field', v->>'field', 'rule', v->>'rule', 'value', v->>'value'))
             FROM jsonb_array_elements(r.violations) v) AS problems
     FROM run_row r JOIN run ON run.id = r.run_id
     WHERE (r.issuance_id = ANY($1::bigint[]) AND r.changed_fields IS NULL) OR (r.run_id, r.row_number) IN (SELECT * FROM unnest($2::uuid[], $3::int[]))
     ORDER BY run.received_at, r.run_id, r.row_number`,
    [ids, invalid.map(({ run }) => run), invalid.map(({ row }) => row)],
  )
  return rows
}

async function readCompletions(sql: Sql, ids: readonly number[]) {
  const { rows } = await sql.query<PersonData['completions'][number]>(
    `SELECT c.id, c.system, c.learner, c.course, c.completed_at AS "completedAt", c.found_at AS "receivedAt", c.found_by AS "receivedBy", c.pipeline, c.cells AS data
     FROM completion c WHERE c.id = ANY($1::bigint[]) ORDER BY c.id`,
    [ids],
  )
  return rows
}

/** Certificates in archives, and images that are still stored. */
export async function readPersonFiles(sql: Sql, { ids, rows: invalid }: Records): Promise<PersonFiles> {
  const { rows: certificates } = await sql.query<PersonFiles['certificates'][number]>(
    'SELECT issuance_id AS issuance, folder, file FROM archived_certificate WHERE issuance_id = ANY($1::bigint[]) AND file IS NOT NULL ORDER BY 1',
    [ids],
  )
  const { rows: images } = await sql.query<PersonFiles['images'][number]>(
    `SELECT encode(m.sha256, 'hex') AS sha256, m.type, m.bytes FROM image m WHERE m.sha256 IN (
       SELECT image_sha256 FROM issuance WHERE id = ANY($1::bigint[])
       UNION SELECT r.image_sha256 FROM run_row r WHERE r.issuance_id = ANY($1::bigint[]) AND ${isOfItsPerson('r')}
       UNION SELECT image_sha256 FROM run_row WHERE (run_id, row_number) IN (SELECT * FROM unnest($2::uuid[], $3::int[]))) ORDER BY m.stored_at, 1`,
    [ids, invalid.map(({ run }) => run), invalid.map(({ row }) => row)],
  )
  return { certificates, images }
}
