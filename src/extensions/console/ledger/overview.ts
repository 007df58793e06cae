// What the console shows of the ledger as a whole: what needs attention, the people behind issuances, the calls of the
// last hour and day, and what a rehearsal depends on. Reads the database only.

import type { ReportItemName } from '#src/ledger/rows-to-decide.ts'
import { countWaitingChanges, isCorrected } from '#src/ledger/runs/waiting-changes.ts'
import { allObstacles, type ObstacleRecord } from '#src/ledger/workers/obstacles.ts'
import { type RegisteredWorker, registeredWorkers } from '#src/ledger/workers/worker-registration.ts'
import type { Database } from '#src/platform/database/database.ts'
import type { PipelineScope } from './run-pages.ts'

export interface NeededDecisions {
  /** By pipeline; `held` is at most `most`. */
  held: { pipeline: string; rows: number; since: Date }[]
  changes: { pipeline: string; count: number; since: Date }[]
  /** Failed and rejected rows, by their list, the newest list first. Of at most `mostFailedCounted` rows. */
  failed: FailedRows[]
  /** Failed and rejected rows that replace a credential, which was revoked for them. They are not in `failed`. */
  corrections: FailedCorrection[]
}

export interface FailedRows {
  run: string
  source: string
  pipeline: string
  failed: number
  rejected: number
}

export interface FailedCorrection {
  id: number
  corrects: number
  pipeline: string
  state: 'failed' | 'rejected'
}

/** Nobody needs to know how many more there are. */
export const mostHeldCounted = 1_000
export const mostFailedCounted = 1_000

/**
 * SQL: a row that has no credential, and about which something can still be done. Migration 0011 has an index of these.
 */
const isWithoutCredential = `i.environment = $1 AND i.state IN ('failed', 'rejected') AND i.recipient IS NOT NULL AND ($2::text[] IS NULL OR i.pipeline = ANY($2))
  AND NOT ${isCorrected}`

/** What was sent for an issuance, and what it looks like in its source. */
export interface SeenPerson {
  issuance: number
  /** Null once the person's data were deleted. */
  recipient: Record<string, string> | null
}

export function consoleReadingStore(db: Database, environment: string) {
  return {
    async needed(scope: PipelineScope): Promise<NeededDecisions> {
      const { rows } = await db.query<NeededDecisions['held'][number]>(
        `SELECT pipeline, count(*)::int AS rows, min(state_since) AS since FROM (
           SELECT pipeline, state_since FROM issuance WHERE environment = $1 AND state = 'held' AND ($2::text[] IS NULL OR pipeline = ANY($2)) LIMIT $3) h
         GROUP BY pipeline ORDER BY pipeline`,
        [environment, scope, mostHeldCounted],
      )
      const changes = await countWaitingChanges(db, environment)
      const { rows: corrections } = await db.query<FailedCorrection>(
        `SELECT id, corrects::int, pipeline, state FROM issuance i WHERE ${isWithoutCredential} AND corrects IS NOT NULL ORDER BY state_since DESC, id`,
        [environment, scope],
      )
      const { rows: failed } = await db.query<FailedRows>(
        `SELECT run.id AS run, run.source_name AS source, run.pipeline, f.failed, f.rejected FROM (
           SELECT run_id, count(*) FILTER (WHERE state = 'failed')::int AS failed, count(*) FILTER (WHERE state = 'rejected')::int AS rejected FROM (
             SELECT run_id, state FROM issuance i WHERE ${isWithoutCredential} AND corrects IS NULL ORDER BY state_since DESC LIMIT $3) newest
           GROUP BY run_id) f JOIN run ON run.id = f.run_id ORDER BY run.received_at DESC, run.id`,
        [environment, scope, mostFailedCounted],
      )
      return {
        held: rows,
        changes: changes.filter(({ pipeline }) => scope === null || scope.includes(pipeline)),
        ...{ failed, corrections },
      }
    },
    /** The issuances of a run of whose people the report shows more items than were requested, at most `limit`. */
    async withSurplus(run: string, limit: number): Promise<number[]> {
      const { rows } = await db.query<{ id: number }>(
        // From the items, which are few, and not from the rows of the run.
        `SELECT DISTINCT i.id FROM surplus_item s JOIN issuance i ON i.id = s.issuance_id
         WHERE s.environment = $1 AND i.environment = $1 AND i.run_id = $2::uuid AND i.surplus_items > 0 ORDER BY i.id LIMIT $3`,
        [environment, run, limit],
      )
      return rows.map(({ id }) => id)
    },
    async workers(): Promise<RegisteredWorker[]> {
      return (await registeredWorkers(db)).filter((worker) => worker.environment === environment)
    },
    async obstacles(): Promise<ObstacleRecord[]> {
      return (await allObstacles(db, environment)).filter(({ status }) => status === 'current')
    },
    /**
     * The items of the report that somebody who sees only some pipelines may see next to an issuance of one of them:
     * not those of an issuance of another pipeline, nor those that are certainly of another course.
     * @returns their keys
     */
    async visibleItems(items: readonly ReportItemName[], issuance: number, scope: PipelineScope): Promise<string[]> {
      if (scope === null) return items.map(({ key }) => key)
      const { rows } = await db.query<{ key: string }>(
        `SELECT DISTINCT n.key FROM unnest($2::text[], $3::text[], $4::text[]) n(key, fingerprint, name) JOIN issuance own ON own.id = $5
         LEFT JOIN report_claim c ON c.environment = $1 AND c.item_key IN (n.key, n.fingerprint) LEFT JOIN issuance i ON i.id = c.issuance_id
         WHERE CASE
           WHEN i.id IS NOT NULL THEN i.pipeline = ANY($6)
           WHEN EXISTS (SELECT FROM course k JOIN run ON run.course_uuid = k.course_uuid AND run.environment = $1 AND run.pipeline = ANY($6)
             WHERE k.environment = $1 AND k.certificate_name = n.name) THEN true
           -- An item that nobody has may be the row's own unless it certainly is of another course: courses can share a name, which
           -- then is known of one of them only, and be renamed. Whoever did not see it could have the row sent a second time.
           ELSE NOT (EXISTS (SELECT FROM course k WHERE k.environment = $1 AND k.certificate_name = n.name)
             AND EXISTS (SELECT FROM course k WHERE k.environment = $1 AND k.course_uuid = own.course_uuid AND k.certificate_name IS NOT NULL)) END`,
        [
          environment,
          items.map(({ key }) => key),
          items.map(({ fingerprint }) => fingerprint),
          items.map(({ certificateName }) => certificateName),
          issuance,
          scope,
        ],
      )
      return rows.map(({ key }) => key)
    },
    /**
     * What the rehearsal of a list depends on: it is true as long as this stays the same. Rows come into the ledger
     * with a run of their course, and people are forgotten by an erasure.
     */
    async stateForRehearsal(course: string): Promise<{ lastRun: string | null; lastErasure: string | null }> {
      const { rows } = await db.query<{ lastRun: string | null; lastErasure: string | null }>(
        `SELECT (SELECT id || CASE WHEN adopting THEN ', adopting' ELSE '' END FROM run WHERE environment = $1 AND course_uuid = $2 AND published_at IS NOT NULL
                 ORDER BY published_at DESC, id LIMIT 1) AS "lastRun",
                (SELECT max(greatest(requested_at, ended_at))::text FROM erasure WHERE environment = $1) AS "lastErasure"`,
        [environment, course],
      )
      return rows[0] ?? { lastRun: null, lastErasure: null }
    },
    async recipients(issuances: readonly number[]): Promise<SeenPerson[]> {
      const { rows } = await db.query<SeenPerson>(
        'SELECT id AS issuance, recipient FROM issuance WHERE environment = $1 AND id = ANY($2) ORDER BY id',
        [environment, issuances],
      )
      return rows
    },
  }
}
