// Scans of the credential report, and when each of its items was first seen.

import type { Sql } from '#src/database/database.ts'

export interface ScanEnd {
  complete: boolean
  pages: number
  items: number
  claimed: number
  unknown: number
  problem: string | null
}

export interface StartedScan {
  id: number
  startedAt: Date
}

/** @param since the first day, YYYY-MM-DD, that the scan reaches back to */
export async function beginScan(sql: Sql, environment: string, since: string): Promise<StartedScan> {
  const { rows } = await sql.query<StartedScan>(
    'INSERT INTO scan (environment, since) VALUES ($1, $2) RETURNING id, started_at AS "startedAt"',
    [environment, since],
  )
  return rows[0] as StartedScan
}

export async function endScan(sql: Sql, id: number, end: ScanEnd): Promise<void> {
  await sql.query(
    `UPDATE scan SET ended_at = clock_timestamp(), complete = $2, pages = $3, items = $4, claimed = $5, unknown = $6, problem = $7 WHERE id = $1`,
    [id, end.complete, end.pages, end.items, end.claimed, end.unknown, end.problem],
  )
}

/**
 * Whether a complete scan of the last days, no older than `maxAgeMs`, is in the ledger: without one nothing is sent, because nobody
 * could tell later which report items were there before.
 * @param begunAfter for rows that go out again: the reading must have begun after their last call
 */
export async function baselineIsFresh(
  sql: Sql,
  environment: string,
  maxAgeMs: number,
  begunAfter: Date | null,
): Promise<boolean> {
  const { rows } = await sql.query<{ fresh: boolean }>(
    `SELECT EXISTS (SELECT FROM scan WHERE environment = $1 AND complete AND ended_at > clock_timestamp() - make_interval(secs => $2)
       AND since <= (clock_timestamp() AT TIME ZONE 'UTC')::date - 2 AND ($3::timestamptz IS NULL OR started_at > $3)) AS fresh`,
    [environment, maxAgeMs / 1_000, begunAfter],
  )
  return rows[0]?.fresh ?? false
}

/** The days that a baseline must cover: requests of today as any time zone may date them, and one day more. */
export async function baselineSince(sql: Sql): Promise<string> {
  const { rows } = await sql.query<{ since: string }>(
    `SELECT (clock_timestamp() AT TIME ZONE 'UTC')::date - 2 AS since`,
  )
  return rows[0]?.since as string
}

/**
 * Notes items by key; the first time counts. An item that was noted by its fingerprint while it had no entity_uuid keeps that first time under
 * its uuid, once: another item of the same person, course and day has the same fingerprint and a first time of its own.
 */
export async function noteSightings(
  sql: Sql,
  environment: string,
  items: readonly { key: string; fingerprint: string; requestDate: string | null }[],
): Promise<void> {
  const loose = new Set(items.filter((item) => item.key === item.fingerprint).map((item) => item.key))
  // While an item without a uuid is still shown, the sighting may be its own.
  const named = items.filter((item) => item.key !== item.fingerprint && !loose.has(item.fingerprint))
  await sql.query(
    `UPDATE sighting s SET item_key = n.key
     FROM (SELECT DISTINCT ON (t.fingerprint) t.key, t.fingerprint FROM unnest($2::text[], $3::text[]) AS t(key, fingerprint)
           WHERE NOT EXISTS (SELECT FROM sighting known WHERE known.environment = $1 AND known.item_key = t.key) ORDER BY t.fingerprint, t.key) n
     WHERE s.environment = $1 AND s.item_key = n.fingerprint`,
    [environment, named.map((item) => item.key), named.map((item) => item.fingerprint)],
  )
  await sql.query(
    `INSERT INTO sighting (environment, item_key, request_date)
     SELECT $1, * FROM unnest($2::text[], $3::date[]) ON CONFLICT DO NOTHING`,
    [environment, items.map((item) => item.key), items.map((item) => item.requestDate)],
  )
}

/** When each of the keys was first seen; keys never seen are missing. */
export async function firstSightings(
  sql: Sql,
  environment: string,
  keys: readonly string[],
): Promise<Map<string, Date>> {
  const { rows } = await sql.query<{ key: string; at: Date }>(
    'SELECT item_key AS key, first_seen_at AS at FROM sighting WHERE environment = $1 AND item_key = ANY($2)',
    [environment, keys],
  )
  return new Map(rows.map((row) => [row.key, row.at]))
}

export interface Watch {
  /** How many rows the report has yet to settle. */
  open: number
  /** How long ago the youngest of them last changed; null when there is none. */
  youngestMs: number | null
  /** The day before the oldest of them was first sent; null when there is none. */
  sinceAll: string | null
  /** The same, of those sent within the last day. */
  sinceYoung: string | null
  due: boolean
  deepDue: boolean
}

/** What the poller has to look for, and whether its time has come. */
export async function readWatch(sql: Sql, environment: string): Promise<Watch> {
  const { rows } = await sql.query<Watch>(
    `SELECT count(*) AS open,
            (extract(epoch FROM clock_timestamp() - max(state_since)) * 1000)::float AS "youngestMs",
            (min(first_sent_at) AT TIME ZONE 'UTC')::date - 1 AS "sinceAll",
            (min(first_sent_at) FILTER (WHERE first_sent_at > clock_timestamp() - interval '1 day') AT TIME ZONE 'UTC')::date - 1 AS "sinceYoung",
            coalesce((SELECT due_at <= clock_timestamp() FROM poller WHERE environment = $1), true) AS due,
            coalesce((SELECT deep_due_at <= clock_timestamp() FROM poller WHERE environment = $1), true) AS "deepDue"
     FROM issuance WHERE environment = $1 AND state IN ('unconfirmed', 'requested', 'in_progress')`,
    [environment],
  )
  return rows[0] as Watch
}

/** Sets when the poller looks next; `deepMs` only after a scan that reached back to the oldest open row. */
export async function schedulePoller(
  sql: Sql,
  environment: string,
  nextMs: number,
  deepMs: number | null,
): Promise<void> {
  await sql.query(
    `INSERT INTO poller (environment, due_at, deep_due_at) VALUES ($1, clock_timestamp() + make_interval(secs => $2), clock_timestamp() + make_interval(secs => coalesce($3::float, 0)))
     ON CONFLICT (environment) DO UPDATE SET due_at = excluded.due_at, asked_at = NULL, deep_due_at = CASE WHEN $3 IS NULL THEN poller.deep_due_at ELSE excluded.deep_due_at END`,
    [environment, nextMs / 1_000, deepMs === null ? null : deepMs / 1_000],
  )
}

/** Something was sent: the poller should look within `withinMs`, unless it was going to look sooner. */
export async function hurryPoller(sql: Sql, environment: string, withinMs: number): Promise<void> {
  await sql.query(
    `INSERT INTO poller (environment, due_at) VALUES ($1, clock_timestamp() + make_interval(secs => $2))
     ON CONFLICT (environment) DO UPDATE SET due_at = least(poller.due_at, excluded.due_at)`,
    [environment, withinMs / 1_000],
  )
}

/** The last complete scan that began at or after `since`, to tell that a full pass asked for has been done. */
export async function completeScanSince(sql: Sql, environment: string, since: Date): Promise<boolean> {
  const { rows } = await sql.query<{ done: boolean }>(
    'SELECT EXISTS (SELECT FROM scan WHERE environment = $1 AND complete AND started_at >= $2) AS done',
    [environment, since],
  )
  return rows[0]?.done ?? false
}
