// Lists the erasures: what each is about, in numbers and ids, and what keeps it open. Reads the database only.

import type { Sql } from '#src/platform/database/database.ts'
import { waitsForSql } from './readiness.ts'

export interface OpenErasure {
  id: string
  kind: 'request' | 'retention'
  requestedAt: Date
  revokes: boolean
  releases: boolean
  recordedAt: Date | null
  waitsFor: string | null
  /** The inbound events that it waits for, as of the last time that events were searched. */
  waitingEvents: number[]
}

export interface ListedErasure extends OpenErasure {
  environment: string
  by: string
  reason: string
  endedAt: Date | null
  /** How many issuances, rows of their own and completions it is about, and how many of these are emptied. */
  issuances: number
  rows: number
  completions: number
  emptied: number
  /** Credentials that were to be revoked, and are still valid although their data are emptied. */
  notRevoked: { issuanceId: number; credentialId: string }[]
}

/** What some issuances of an erasure wait for. */
export interface WaitingIssuances {
  waitsFor: 'a decision' | 'its withdrawal' | 'its call' | 'its revocation' | 'a learning system'
  count: number
  /** The first few. */
  ids: number[]
}

/** Completions of an erasure that are in lists which are not read yet. */
export interface WaitingCompletions {
  waitsFor: 'its list'
  count: number
  /** The first few lists. */
  runs: string[]
}

export type Waiting = WaitingIssuances | WaitingCompletions

const columns = `x.id, x.kind, x.requested_at AS "requestedAt", x.revokes, x.releases, x.recorded_at AS "recordedAt", x.waits_for AS "waitsFor",
  x.waiting_events::text[]::int[] AS "waitingEvents"`

/** Those that are not carried out, the oldest first. @param environment `any` lists those of every environment */
export async function openErasures(sql: Sql, environment: string): Promise<OpenErasure[]> {
  const { rows } = await sql.query<OpenErasure>(
    `SELECT ${columns} FROM erasure x WHERE $1 IN (x.environment, 'any') AND x.ended_at IS NULL ORDER BY x.requested_at, x.id`,
    [environment],
  )
  return rows
}

/** All erasures, the newest first. @param environment `any` lists those of every environment */
export async function listErasures(sql: Sql, environment: string): Promise<ListedErasure[]> {
  const { rows } = await sql.query<ListedErasure>(
    `SELECT ${columns}, x.environment, x.requested_by AS by, x.reason, x.ended_at AS "endedAt",
            issuances.count AS issuances, rows.count AS rows, completions.count AS completions,
            issuances.emptied + rows.emptied + completions.emptied AS emptied,
            coalesce((SELECT json_agg(json_build_object('issuanceId', i.id, 'credentialId', i.credential_id) ORDER BY i.id)
              FROM erased_issuance e JOIN issuance i ON i.id = e.issuance_id
              WHERE x.revokes AND e.erasure_id = x.id AND e.emptied_at IS NOT NULL AND i.state = 'issued'), '[]') AS "notRevoked"
     FROM erasure x
     CROSS JOIN LATERAL (SELECT count(*), count(emptied_at) AS emptied FROM erased_issuance e WHERE e.erasure_id = x.id) issuances
     CROSS JOIN LATERAL (SELECT count(*), count(emptied_at) AS emptied FROM erased_row e WHERE e.erasure_id = x.id) rows
     CROSS JOIN LATERAL (SELECT count(*), count(emptied_at) AS emptied FROM erased_completion e WHERE e.erasure_id = x.id) completions
     WHERE $1 IN (x.environment, 'any') ORDER BY x.requested_at DESC, x.id`,
    [environment],
  )
  return rows
}

/** What an erasure is about. */
export async function contentOf(
  sql: Sql,
  erasureId: string,
): Promise<{ issuances: number[]; rows: { run: string; row: number }[]; runs: string[] }> {
  const { rows: issuances } = await sql.query<{ id: number }>(
    'SELECT issuance_id AS id FROM erased_issuance WHERE erasure_id = $1 ORDER BY 1',
    [erasureId],
  )
  const { rows } = await sql.query<{ run: string; row: number }>(
    'SELECT run_id AS run, row_number AS row FROM erased_row WHERE erasure_id = $1 ORDER BY 1, 2',
    [erasureId],
  )
  const { rows: runs } = await sql.query<{ id: string }>('SELECT run_id AS id FROM erased_run WHERE erasure_id = $1', [
    erasureId,
  ])
  return { issuances: issuances.map(({ id }) => id), rows, runs: runs.map(({ id }) => id) }
}

/** What an erasure waits for before its data can be emptied. Empty if nothing does. */
export async function waitingOf(sql: Sql, erasureId: string): Promise<Waiting[]> {
  const { rows: issuances } = await sql.query<WaitingIssuances>(
    `SELECT "waitsFor", count(*), (array_agg(id ORDER BY id))[1:5]::text[]::int[] AS ids FROM (
       SELECT i.id, ${waitsForSql} AS "waitsFor"
       FROM erased_issuance e JOIN erasure x ON x.id = e.erasure_id JOIN issuance i ON i.id = e.issuance_id
       WHERE e.erasure_id = $1 AND e.emptied_at IS NULL) w
     WHERE "waitsFor" IS NOT NULL GROUP BY 1 ORDER BY 1`,
    [erasureId],
  )
  const { rows: completions } = await sql.query<WaitingCompletions>(
    `SELECT 'its list' AS "waitsFor", count(*), (array_agg(DISTINCT run.id::text ORDER BY run.id::text))[1:5] AS runs
     FROM erased_completion e JOIN completion c ON c.id = e.completion_id JOIN run ON run.id = c.run_id
     WHERE e.erasure_id = $1 AND e.emptied_at IS NULL AND run.state = 'received' HAVING count(*) > 0`,
    [erasureId],
  )
  return [...issuances, ...completions]
}
