// Rows of a source that fill a known credential's fields otherwise: corrections that wait for a person.

import type { Sql } from '#src/database/database.ts'
import type { State } from '#src/issuance/state.ts'

export interface WaitingChange {
  issuanceId: number
  credentialId: string | null
  state: State
  pipeline: string
  recipient: Record<string, string> | null
  /** Names of the fields, never their values. */
  changedFields: string[]
  run: string
  source: string
  row: number
  received: Date
}

/**
 * For each issued credential, and each failed row that has none, the last row that names it, where that row's data are other ones: what a later list corrected at its source waits
 * no more. Rows beside the credential's own in one file do not count, nor do credentials that were corrected.
 * @param of.run only those of this run
 */
export async function changesWaiting(sql: Sql, environment: string, of: { run?: string }): Promise<WaitingChange[]> {
  const { rows } = await sql.query<WaitingChange>(
    `SELECT * FROM (
       SELECT DISTINCT ON (r.issuance_id) i.id AS "issuanceId", i.credential_id AS "credentialId", i.state, i.pipeline, i.recipient,
              r.changed_fields AS "changedFields", run.id AS run, run.source_name AS source, r.row_number AS row, run.received_at AS received
       FROM run_row r JOIN run ON run.id = r.run_id JOIN issuance i ON i.id = r.issuance_id
       WHERE r.changed_fields IS NOT NULL AND $1 IN (run.environment, 'any') AND r.run_id <> i.run_id AND (i.state = 'issued' OR (i.state = 'failed' AND i.credential_id IS NULL))
         AND NOT EXISTS (SELECT FROM issuance n WHERE n.corrects = i.id)
         -- A failed row that was sent again with its data keeps its place.
         AND NOT EXISTS (SELECT FROM history h WHERE h.issuance_id = i.id AND h.to_state = 'pending' AND h.evidence ? 'fields' AND h.at > run.published_at)
         AND NOT EXISTS (SELECT FROM run_row later JOIN run l ON l.id = later.run_id
                         WHERE later.issuance_id = r.issuance_id AND l.published_at > run.published_at AND later.changed_fields IS NULL)
       ORDER BY r.issuance_id, run.published_at DESC, r.row_number) last
     WHERE $2::text IS NULL OR run::text = $2 ORDER BY received DESC, row`,
    [environment, of.run ?? null],
  )
  return rows
}
