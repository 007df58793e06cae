// Records scans of the credential report, and when each item was first seen. Reads and writes the database.

import type { Sql } from '#src/platform/database/database.ts'
import { eachOf, lookUpEach } from '#src/platform/database/index-lookups.ts'

export interface ScanEnd {
  complete: boolean
  pages: number
  items: number
  /** Items that this scan assigned to an issuance. */
  claimed: number
  /** Items with a status that is not documented. */
  unknown: number
  problem: string | null
}

export interface StartedScan {
  id: number
  startedAt: Date
}

export function scanStore(db: Sql, environment: string) {
  return {
    /** @param since the first day that the scan covers, YYYY-MM-DD */
    async begin(since: string): Promise<StartedScan> {
      const { rows } = await db.query<StartedScan>(
        'INSERT INTO scan (environment, since) VALUES ($1, $2) RETURNING id, started_at AS "startedAt"',
        [environment, since],
      )
      return rows[0] as StartedScan
    },
    async end(id: number, end: ScanEnd): Promise<void> {
      await db.query(
        `UPDATE scan SET ended_at = clock_timestamp(), complete = $2, pages = $3, items = $4, claimed = $5, unknown = $6, problem = $7 WHERE id = $1`,
        [id, end.complete, end.pages, end.items, end.claimed, end.unknown, end.problem],
      )
    },
    /**
     * Returns whether a scan that began at or after `since` is complete. If so, a full scan requested at that time is
     * done.
     */
    async completeSince(since: Date): Promise<boolean> {
      const { rows } = await db.query<{ done: boolean }>(
        'SELECT EXISTS (SELECT FROM scan WHERE environment = $1 AND complete AND started_at >= $2) AS done',
        [environment, since],
      )
      return rows[0]?.done ?? false
    },
    /**
     * Returns whether a complete scan of the last days ended at most `maxAgeMs` ago. Without one, nothing is sent,
     * because it could not be determined later which report items existed before the call.
     * @param begunAfter for rows that are sent again: the scan must have begun after their last call
     */
    async baselineIsFresh(maxAgeMs: number, begunAfter: Date | null = null): Promise<boolean> {
      const { rows } = await db.query<{ fresh: boolean }>(
        `SELECT EXISTS (SELECT FROM scan WHERE environment = $1 AND complete AND ended_at > clock_timestamp() - make_interval(secs => $2)
           AND since <= (clock_timestamp() AT TIME ZONE 'UTC')::date - 2 AND ($3::timestamptz IS NULL OR started_at > $3)) AS fresh`,
        [environment, maxAgeMs / 1_000, begunAfter],
      )
      return rows[0]?.fresh ?? false
    },
    /**
     * Returns the first day that a baseline must cover. Today's requests may be dated a day earlier in another time
     * zone, and one more day is added as a margin.
     */
    async baselineSince(): Promise<string> {
      const { rows } = await db.query<{ since: string }>(
        `SELECT (clock_timestamp() AT TIME ZONE 'UTC')::date - 2 AS since`,
      )
      return rows[0]?.since as string
    },
    /**
     * Records when items were first seen, by key. If an item was recorded by its fingerprint, before it had an
     * entity_uuid, the recorded time is moved to its uuid, but only once: another item of the same person, course and
     * day has the same fingerprint, and was first seen at a different time.
     */
    async noteSightings(
      items: readonly { key: string; fingerprint: string; requestDate: string | null }[],
    ): Promise<void> {
      const { rows } = await db.query<{ key: string }>(
        `SELECT s.item_key AS key FROM ${lookUpEach('$2', 'text', 'sighting', 'environment = $1 AND item_key = wanted.key')} s`,
        [environment, [...new Set(items.flatMap((item) => [item.key, item.fingerprint]))]],
      )
      const known = new Set(rows.map((row) => row.key))
      const fresh = items.filter((item) => !known.has(item.key))
      if (fresh.length === 0) return
      const withoutUuid = new Set(items.filter((item) => item.key === item.fingerprint).map((item) => item.key))
      // While the report still shows an item without a uuid, the recorded time may belong to that item.
      const renamed = fresh.filter((item) => known.has(item.fingerprint) && !withoutUuid.has(item.fingerprint))
      if (renamed.length > 0)
        await db.query(
          `UPDATE sighting s SET item_key = n.key
           FROM (SELECT DISTINCT ON (t.fingerprint) t.key, t.fingerprint FROM unnest($2::text[], $3::text[]) AS t(key, fingerprint)
                 WHERE NOT EXISTS (SELECT FROM sighting known WHERE known.environment = $1 AND known.item_key = t.key OFFSET 0) ORDER BY t.fingerprint, t.key) n
           WHERE s.environment = $1 AND s.item_key = n.fingerprint AND s.item_key = ${eachOf('$3', 'text')}`,
          [environment, renamed.map((item) => item.key), renamed.map((item) => item.fingerprint)],
        )
      await db.query(
        `INSERT INTO sighting (environment, item_key, request_date)
         SELECT $1, * FROM unnest($2::text[], $3::date[]) ON CONFLICT DO NOTHING`,
        [environment, fresh.map((item) => item.key), fresh.map((item) => item.requestDate)],
      )
    },
    firstSightings: (keys: readonly string[]) => firstSightings(db, environment, keys),
  }
}

/** Returns when each key was first seen. Keys that were never seen are missing. */
export async function firstSightings(
  sql: Sql,
  environment: string,
  keys: readonly string[],
): Promise<Map<string, Date>> {
  const { rows } = await sql.query<{ key: string; at: Date }>(
    `SELECT s.item_key AS key, s.first_seen_at AS at FROM ${lookUpEach('$2', 'text', 'sighting', 'environment = $1 AND item_key = wanted.key')} s`,
    [environment, keys],
  )
  return new Map(rows.map((row) => [row.key, row.at]))
}
