// Finds the rows that need or allow an operator's decision: held rows, and failed rows that can be sent again. Reads
// the database only.

import type { Sql } from '#src/platform/database/database.ts'
import { exactTime, readCursor } from './exact-time.ts'

export interface HeldRow {
  id: number
  pipeline: string
  run: string
  source: string
  row: number
  since: Date
  reason: string | null
  /** The claimed report item, if the row was held because of what the item shows. */
  claimedItem: string | null
  reportStatus: string | null
  credentialId: string | null
  sendings: number
  looks: number
  /** The position after this row, from which the next page starts. Set only if a page was requested. */
  cursor?: string
}

/** An item of the credential report. */
export interface ReportItemName {
  key: string
  fingerprint: string
  certificateName: string | null
}

/** A page of at most `limit` rows. `scope` names the pipelines; null means all of them. */
export interface HeldPart {
  scope: readonly string[] | null
  limit: number
  /** Only rows after this `cursor`, even if its row has moved since. A malformed cursor is ignored. */
  after?: string | null
  /** Only this row. */
  id?: number
}

export interface RetriableRow {
  id: number
  row: number
  reason: string | null
  since: Date
}

export interface RetriableRows {
  rows: RetriableRow[]
  /** The number of all such rows of the run. */
  count: number
  /** When the last of them failed; null if there is none. */
  until: Date | null
}

/**
 * SQL: whether the row has failed, without a credential or another report item. With `onlyComplete`, its recipient must
 * also be known completely.
 */
export const isRetriable = (onlyComplete: string) =>
  `state = 'failed' AND credential_id IS NULL AND surplus_items = 0 AND NOT (${onlyComplete}::boolean AND adopted_as IS NOT NULL AND attempt_id IS NULL)`

export async function heldRows(sql: Sql, environment: string, part?: HeldPart): Promise<HeldRow[]> {
  const [since = null, id = null] = readCursor(part?.after, /^(\S+) (\d{1,15})$/) ?? []
  const cursor = part ? `, ${exactTime('i.state_since')} || ' ' || i.id AS cursor` : ''
  const { rows } = await sql.query<HeldRow>(
    `SELECT i.id, i.pipeline, i.run_id AS run, run.source_name AS source, i.row_number AS row, i.state_since AS since, i.reason,
            c.item_key AS "claimedItem", coalesce(i.evidence->>'label', i.report_status) AS "reportStatus", coalesce(i.evidence->>'credential', i.credential_id) AS "credentialId", i.looks,
            (SELECT count(*) FROM history h WHERE h.issuance_id = i.id AND h.to_state = 'sending') AS sendings${cursor}
     FROM issuance i JOIN run ON run.id = i.run_id LEFT JOIN report_claim c ON c.issuance_id = i.id
     WHERE i.environment = $1 AND i.state = 'held' AND ($2::text[] IS NULL OR i.pipeline = ANY($2))
       AND ($3::timestamptz IS NULL OR (i.state_since, i.id) > ($3, $6::bigint))
       AND ($5::bigint IS NULL OR i.id = $5)
     ORDER BY i.state_since, i.id LIMIT $4`,
    [environment, part?.scope ?? null, since, part?.limit ?? null, part?.id ?? null, id],
  )
  return rows
}

/** Returns at most `limit` rows, in the order of the source, and the total number of such rows. */
export async function retriableRows(sql: Sql, environment: string, run: string, limit: number): Promise<RetriableRows> {
  const { rows } = await sql.query<RetriableRow & { count: number; until: Date }>(
    `SELECT id, row_number AS row, reason, state_since AS since, (count(*) OVER ())::int AS count, max(state_since) OVER () AS until
     FROM issuance WHERE environment = $2 AND run_id = $1 AND ${isRetriable('true')} AND NOT EXISTS (SELECT FROM erased_issuance e WHERE e.issuance_id = issuance.id)
     ORDER BY row_number, id LIMIT $3`,
    [run, environment, limit],
  )
  const [first] = rows
  return {
    rows: rows.map(({ id, row, reason, since }) => ({ id, row, reason, since })),
    count: first?.count ?? 0,
    until: first?.until ?? null,
  }
}
