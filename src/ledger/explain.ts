// Reads everything that the ledger has recorded about a person or an issuance, for `credsync explain`. Also reads the
// states of issuances. Reads the database only.

import type { State } from '#src/domain/credential/state.ts'
import type { Sql } from '#src/platform/database/database.ts'
import { type Forgotten, forgottenJson, forgottenOf } from './forgotten-people.ts'

export interface Explained {
  id: number
  environment: string
  pipeline: string
  courseUuid: string
  state: State
  stateSince: Date
  reason: string | null
  run: string
  source: string
  row: number
  reportStatus: string | null
  credentialId: string | null
  entityUuid: string | null
  verifierLink: string | null
  issueDate: string | null
  validTill: string | null
  revokedDate: string | null
  surplusItems: number
  /** Null if its data are kept. */
  forgotten: Forgotten | null
  /** The issuance that this one corrects, and the one that corrects it. */
  corrects: number | null
  correctedBy: number | null
  pauseReason: string | null
  /** Rows of other sources that refer to the same credential, and the fields in which they differ. */
  alsoIn: { run: string; source: string; row: number; changedFields: string[] | null }[]
  history: HistoryLine[]
}

export interface HistoryLine {
  at: Date
  event: string
  from: State | null
  to: State | null
  attempt: number | null
  evidence: Record<string, unknown> | null
}

/**
 * What to explain: an issuance by its id, or a person. A person is found by the hashes that identify them, by the id of
 * their credential, or by known ids of their issuances.
 */
export type ExplainedBy = { id: number } | { hashes: readonly Buffer[]; credential?: string; ids?: readonly number[] }

export interface IssuanceState {
  state: State
  hasCredential: boolean
  /** Whether the issuance was adopted and never sent, so that only part of its data is known. */
  isPartial: boolean
  /** The number of report items for its person beyond its own. */
  surplusItems: number
  /** Null if its data are kept. */
  forgotten: Forgotten | null
}

export function issuanceStore(db: Sql, environment: string) {
  return {
    /** Returns which of these issuances were forgotten, and when. */
    forgottenOf: (ids: readonly number[]) => forgottenOf(db, ids),
    async explain(who: ExplainedBy): Promise<Explained[]> {
      const byId = 'id' in who
      const { rows } = await db.query<Explained>(
        `SELECT i.id, i.environment, i.pipeline, i.course_uuid AS "courseUuid", i.state, i.state_since AS "stateSince", i.reason, i.run_id AS run,
                run.source_name AS source, i.row_number AS row, i.report_status AS "reportStatus", i.credential_id AS "credentialId",
                i.entity_uuid AS "entityUuid", i.verifier_link AS "verifierLink", i.issue_date AS "issueDate", i.valid_till AS "validTill",
                i.revoked_date AS "revokedDate", i.surplus_items AS "surplusItems", i.corrects, ${forgottenJson('i.id')} AS forgotten, (SELECT n.id FROM issuance n WHERE n.corrects = i.id) AS "correctedBy",
                CASE WHEN i.state = 'pending' AND c.paused_until > clock_timestamp() THEN c.pause_reason END AS "pauseReason",
                coalesce((SELECT json_agg(json_build_object('run', r.run_id, 'source', o.source_name, 'row', r.row_number, 'changedFields', r.changed_fields) ORDER BY o.received_at, r.row_number)
                 FROM run_row r JOIN run o ON o.id = r.run_id WHERE r.issuance_id = i.id AND r.outcome = 'skipped'), '[]') AS "alsoIn"
         FROM issuance i JOIN run ON run.id = i.run_id LEFT JOIN course c ON c.environment = i.environment AND c.course_uuid = i.course_uuid
         WHERE ${
           byId
             ? 'i.id = $1'
             : // The ids are collected in one array, because with OR the planner may read all issuances.
               `i.id = ANY(ARRAY(
             SELECT issuance_id FROM issuance_identity WHERE identity_hash = ANY($1::bytea[])
             UNION SELECT issuance_id FROM issuance_match WHERE hash = ANY($1::bytea[])
             UNION SELECT id FROM issuance WHERE credential_id = $2
             UNION SELECT unnest($3::bigint[])))`
         } ORDER BY i.id`,
        byId ? [who.id] : [who.hashes, who.credential ?? null, who.ids ?? []],
      )
      for (const row of rows) row.history = await history(db, row.id)
      return rows
    },
    /** Returns the states of issuances by id. Unknown ids are left out. */
    async states(ids: readonly number[]): Promise<Map<number, IssuanceState>> {
      const { rows } = await db.query<IssuanceState & { id: number }>(
        'SELECT id, state, credential_id IS NOT NULL AS "hasCredential", surplus_items AS "surplusItems", adopted_as IS NOT NULL AND attempt_id IS NULL AS "isPartial", ' +
          `${forgottenJson('issuance.id')} AS forgotten FROM issuance WHERE environment = $1 AND id = ANY($2)`,
        [environment, ids],
      )
      return new Map(rows.map((row) => [row.id, row]))
    },
  }
}

async function history(sql: Sql, issuanceId: number): Promise<HistoryLine[]> {
  const { rows } = await sql.query<HistoryLine>(
    `SELECT at, event, from_state AS "from", to_state AS "to", attempt_id AS attempt, evidence FROM history WHERE issuance_id = $1 ORDER BY id`,
    [issuanceId],
  )
  return rows
}
