// Finds source rows that differ from a known credential. Each is a possible correction that waits for an operator's
// decision. Reads the database only.

import type { State } from '#src/domain/credential/state.ts'
import type { Sql } from '#src/platform/database/database.ts'
import { exactTime, readCursor } from '../exact-time.ts'

export interface WaitingChange {
  issuanceId: number
  credentialId: string | null
  state: State
  pipeline: string
  recipient: Record<string, string> | null
  /** Names of the fields that differ, never their values. */
  changedFields: string[]
  run: string
  source: string
  row: number
  received: Date
  /** The position after this row, from which the next page starts. Set only if a page was requested. */
  cursor?: string
}

/** SQL: whether a correction has replaced the credential. `i` is the issuance. */
export const isCorrected = 'EXISTS (SELECT FROM issuance n WHERE n.corrects = i.id)'
/**
 * SQL: whether the row's data, or newer data, have since been used to send a failed row again. `run` is the row's list.
 */
export const isUsed = `EXISTS (SELECT FROM history h WHERE h.issuance_id = i.id AND h.to_state = 'pending' AND h.evidence ? 'fields' AND h.at > run.published_at)`
/**
 * SQL: the rows `r` whose difference is not marked as over, with their `run` and issuance `i`. OFFSET 0 makes the
 * planner start with these rows, which are few, and look up the others by their ids.
 */
export const differingRows = `
  (SELECT run_id, row_number, issuance_id, changed_fields FROM run_row WHERE changed_fields IS NOT NULL AND NOT change_over OFFSET 0) r
  CROSS JOIN LATERAL (SELECT * FROM run WHERE id = r.run_id OFFSET 0) run CROSS JOIN LATERAL (SELECT * FROM issuance WHERE id = r.issuance_id OFFSET 0) i`

/**
 * SQL: for each issued credential, and for each failed row without a credential, the last source row that refers to it,
 * if the data of that row differ. Differences that a later list no longer shows are left out, and so are duplicates
 * within the credential's own file and credentials that were corrected. $1 is the environment.
 */
const changesSql = `
  SELECT DISTINCT ON (r.issuance_id) i.id AS "issuanceId", i.credential_id AS "credentialId", i.state, i.pipeline, i.recipient,
         r.changed_fields AS "changedFields", run.id AS run, run.source_name AS source, r.row_number AS row, run.received_at AS received
  FROM ${differingRows}
  WHERE $1 IN (run.environment, 'any') AND r.run_id <> i.run_id AND (i.state = 'issued' OR (i.state = 'failed' AND i.credential_id IS NULL))
    AND NOT ${isCorrected} AND NOT ${isUsed}
    -- What later lists have ended is marked once all of them were compared, so that the other lists of a person need not be read.
    AND CASE WHEN EXISTS (SELECT FROM run WHERE $1 IN (environment, 'any') AND state = 'published' AND NOT changes_compared) THEN
      NOT EXISTS (SELECT FROM run_row later JOIN run l ON l.id = later.run_id
                  WHERE later.issuance_id = r.issuance_id AND l.published_at > run.published_at AND later.changed_fields IS NULL) ELSE true END
  ORDER BY r.issuance_id, run.published_at DESC, r.row_number`

export interface ChangeFilter {
  /** Only rows of this run. */
  run?: string
  /** Only rows of these pipelines; null for all. */
  scope?: readonly string[] | null
  /** The maximum number of rows in a page. */
  limit?: number
  /** The `cursor` of the last row of the previous page. A malformed cursor is ignored. */
  before?: string | null
}

export async function waitingChanges(sql: Sql, environment: string, filter: ChangeFilter): Promise<WaitingChange[]> {
  const place = readCursor(filter.before, /^(\S+) (\d{1,9}) (\d{1,15})$/) ?? [null, null, null]
  const cursor =
    filter.limit === undefined ? '' : `, ${exactTime('received')} || ' ' || row || ' ' || "issuanceId" AS cursor`
  const { rows } = await sql.query<WaitingChange>(
    `SELECT *${cursor} FROM (${changesSql}) last WHERE ($2::text IS NULL OR run::text = $2) AND ($3::text[] IS NULL OR pipeline = ANY($3))
       AND ($5::timestamptz IS NULL OR received < $5 OR (received = $5 AND (row, "issuanceId") > ($6::integer, $7::bigint)))
     ORDER BY received DESC, row, "issuanceId" LIMIT $4`,
    [...[environment, filter.run ?? null, filter.scope ?? null, filter.limit ?? null], ...place],
  )
  return rows
}

/** Counts the changes of each pipeline. `since` is when the oldest of them was received. */
export async function countWaitingChanges(
  sql: Sql,
  environment: string,
): Promise<{ pipeline: string; count: number; since: Date }[]> {
  const { rows } = await sql.query<{ pipeline: string; count: number; since: Date }>(
    `SELECT pipeline, count(*) AS count, min(received) AS since FROM (${changesSql}) last GROUP BY pipeline`,
    [environment],
  )
  return rows
}
