// Stores the state of the watch, which regularly checks whether issued credentials are still in the report and were not
// revoked. Reads which credentials were checked longest ago, and records what the report shows. Reads and writes the
// database; the report is read elsewhere.

import type { Database } from '#src/platform/database/database.ts'

/** The issued credentials with the same request date in the report. */
export interface IssuedDay {
  /** YYYY-MM-DD. */
  day: string
  issued: number
  /** When the credential among them that was checked longest ago was last checked. */
  lookedAt: Date
}

/** A range of days, YYYY-MM-DD, including the first and the last. */
export interface DayRange {
  from: string
  to: string
}

/**
 * How a scheduled check read the report: completely, ordered by revocation date, by request days, or a few pages after
 * those of the previous check.
 */
export type WatchMethod = 'whole' | 'order' | 'days' | 'pages'

/** The progress of a round through all pages of the report. */
export interface WatchProgress {
  /** Records read in this round so far. */
  position: number
  /** Records per page; null before the first page. */
  pageRecords: number | null
}

export interface WatchStatus extends WatchProgress {
  /** By the database's clock. */
  now: Date
  due: boolean
  /** Whether a full check requested by an operator is still to be done. */
  allWanted: boolean
  /** All credentials revoked before this time have been seen as revoked; null if no such time is known yet. */
  sortedAt: Date | null
  /** Null outside a round. */
  roundStartedAt: Date | null
}

/** A watch as the command `status` shows it. */
export interface WatchSummary {
  environment: string
  endedAt: Date | null
  dueAt: Date
  way: WatchMethod | null
  issued: number | null
  lookedSince: Date | null
  /** Issued credentials that the report no longer shows. */
  missing: number
  revoked: number
}

export type WatchingStore = ReturnType<typeof watchingStore>

const requestDay = `coalesce(s.request_date, (i.first_sent_at AT TIME ZONE 'UTC')::date)`
const fromIssued = `
  FROM issuance i JOIN report_claim c ON c.issuance_id = i.id LEFT JOIN sighting s ON s.environment = c.environment AND s.item_key = c.item_key
  WHERE i.environment = $1 AND i.state = 'issued'`
const lookedAt = `greatest(coalesce(c.looked_at, c.claimed_at), (SELECT sorted_at FROM credential_watch WHERE environment = $1))`

/** @param environment `any` shows the watches of every environment */
export function watchingStore(db: Database, environment: string, lostAfterMs: number) {
  const query = async <Row extends object>(sql: string, values: unknown[] = []) =>
    (await db.query<Row>(sql, [environment, ...values])).rows
  const change = async (sql: string, values: unknown[] = []) => void (await query(sql, values))
  return {
    /** Called when a worker starts. A missed check stays due, and later checks follow the current schedule. */
    begin: (nextAt: Date) =>
      change(
        `INSERT INTO credential_watch (environment, due_at) VALUES ($1, $2)
         ON CONFLICT (environment) DO UPDATE SET due_at = least(credential_watch.due_at, excluded.due_at), asked_at = NULL`,
        [nextAt],
      ),
    /** Returns true once for each due check, and again if its job seems to be lost. */
    take: async () =>
      (
        await query(
          `UPDATE credential_watch SET asked_at = clock_timestamp() WHERE environment = $1 AND due_at <= clock_timestamp()
             AND (asked_at IS NULL OR asked_at < clock_timestamp() - make_interval(secs => $2)) RETURNING environment`,
          [lostAfterMs / 1_000],
        )
      ).length > 0,
    status: async (): Promise<WatchStatus> =>
      (
        await query<WatchStatus>(
          `SELECT clock_timestamp() AS now, coalesce(w.due_at <= clock_timestamp(), false) AS due, coalesce(w.all_wanted_at > coalesce(w.all_done_at, '-infinity'), false) AS "allWanted",
                  w.sorted_at AS "sortedAt", w.round_began_at AS "roundStartedAt", coalesce(w.position, 0) AS position, w.page_records AS "pageRecords"
           FROM (SELECT $1::text AS environment) here LEFT JOIN credential_watch w USING (environment)`,
        )
      )[0] as WatchStatus,
    /** Counts the issued credentials of each request day. Scans every issued row, so call it only once per check. */
    issuedDays: () =>
      query<IssuedDay>(
        `SELECT ${requestDay} AS day, count(*) AS issued, min(${lookedAt}) AS "lookedAt" ${fromIssued} GROUP BY 1 ORDER BY 1`,
      ),
    /** Returns issued credentials that were not checked since `before`, those checked longest ago first. */
    unseen: (range: DayRange | null, before: Date, limit: number) =>
      query<{ id: number; credentialId: string }>(
        `SELECT i.id, i.credential_id AS "credentialId" ${fromIssued} AND coalesce(c.looked_at, c.claimed_at) < $2
           AND ($3::date IS NULL OR ${requestDay} BETWEEN $3 AND $4::date) ORDER BY coalesce(c.looked_at, c.claimed_at), i.id LIMIT $5`,
        [before, range?.from ?? null, range?.to ?? null, limit],
      ),
    /** Returns the keys of those items that belong to issued credentials without a stored public link. */
    withoutLink: async (keys: readonly string[]): Promise<ReadonlySet<string>> => {
      if (keys.length === 0) return new Set()
      const rows = await query<{ key: string }>(
        `SELECT c.item_key AS key FROM report_claim c JOIN issuance i ON i.id = c.issuance_id
         WHERE c.environment = $1 AND c.item_key = ANY($2) AND i.state = 'issued' AND i.verifier_link IS NULL`,
        [keys],
      )
      return new Set(rows.map(({ key }) => key))
    },
    /** Records that the report shows these items. @param progress the progress of the round; null outside a round */
    noteSeen: (keys: readonly string[], progress: WatchProgress | null) =>
      change(
        // Claims that another transaction has locked are left for the next check.
        `WITH shown AS (SELECT issuance_id FROM report_claim WHERE environment = $1 AND item_key = ANY($2) FOR UPDATE SKIP LOCKED),
         seen AS (UPDATE report_claim SET looked_at = clock_timestamp(), missing_since = NULL WHERE issuance_id IN (SELECT issuance_id FROM shown))
         UPDATE credential_watch SET position = $3, page_records = $4 WHERE environment = $1 AND $3::int IS NOT NULL`,
        [keys, progress?.position ?? null, progress?.pageRecords ?? null],
      ),
    /** Records that the report was searched for these credentials, and whether it shows them. */
    noteLooked: (ids: readonly number[], shown: boolean) =>
      change(
        `UPDATE report_claim SET looked_at = clock_timestamp(), missing_since = CASE WHEN $3 THEN NULL ELSE coalesce(missing_since, clock_timestamp()) END
         WHERE environment = $1 AND issuance_id = ANY($2)`,
        [ids, shown],
      ),
    /** Records that all credentials revoked before `startedAt` have been seen as revoked. */
    noteInOrder: (startedAt: Date) =>
      change('UPDATE credential_watch SET sorted_at = $2 WHERE environment = $1', [startedAt]),
    beginRound: async (): Promise<Date> =>
      (
        await query<{ at: Date }>(
          `UPDATE credential_watch SET round_began_at = clock_timestamp(), position = 0, page_records = NULL WHERE environment = $1 RETURNING round_began_at AS at`,
        )
      )[0]?.at as Date,
    /** Ends a round. If it began after an operator requested a full check, it fulfills that request. */
    endRound: () =>
      change(
        `UPDATE credential_watch SET all_done_at = CASE WHEN round_began_at >= all_wanted_at THEN clock_timestamp() ELSE all_done_at END,
           round_began_at = NULL, position = 0, page_records = NULL WHERE environment = $1`,
      ),
    /**
     * Ends a check.
     * @param nextAt when the next check is due, unless an operator has requested a full check
     */
    endCheck: (way: WatchMethod, nextAt: Date) =>
      change(
        `UPDATE credential_watch SET ended_at = clock_timestamp(), asked_at = NULL,
           due_at = CASE WHEN all_wanted_at > coalesce(all_done_at, '-infinity') THEN clock_timestamp() ELSE $3 END, way = $2, issued = found.issued, looked_since = found.since
         FROM (SELECT count(*) AS issued, min(${lookedAt}) AS since ${fromIssued}) found WHERE environment = $1`,
        [way, nextAt],
      ),
    postpone: (waitMs: number) =>
      change(
        `UPDATE credential_watch SET due_at = clock_timestamp() + make_interval(secs => $2), asked_at = NULL WHERE environment = $1`,
        [waitMs / 1_000],
      ),
    /** Called when an operator requests a full check. @returns the time of the request, by the database's clock */
    requestAll: async (): Promise<Date> =>
      (
        await query<{ at: Date }>(
          `INSERT INTO credential_watch (environment, due_at, all_wanted_at) VALUES ($1, clock_timestamp(), clock_timestamp())
           ON CONFLICT (environment) DO UPDATE SET due_at = excluded.due_at, all_wanted_at = excluded.all_wanted_at, asked_at = NULL, round_began_at = NULL
           RETURNING all_wanted_at AS at`,
        )
      )[0]?.at as Date,
    allDoneSince: async (at: Date): Promise<boolean> =>
      (await query('SELECT FROM credential_watch WHERE environment = $1 AND all_done_at >= $2', [at])).length > 0,
    shown: () =>
      query<WatchSummary>(
        `SELECT w.environment, w.ended_at AS "endedAt", w.due_at AS "dueAt", w.way, w.issued, w.looked_since AS "lookedSince", ${missingSql} AS missing,
           (SELECT count(*) FROM issuance i WHERE i.environment = w.environment AND i.state = 'revoked') AS revoked
         FROM credential_watch w WHERE $1 IN (w.environment, 'any') ORDER BY w.environment`,
      ),
  }
}

/** SQL: the number of issued credentials of the environment of watch `w` that the report no longer shows. */
export const missingSql = `(SELECT count(*) FROM report_claim c JOIN issuance i ON i.id = c.issuance_id
  WHERE c.environment = w.environment AND c.missing_since IS NOT NULL AND i.state = 'issued')`
