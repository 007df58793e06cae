// The retention of pipelines: empties lists that are old, then the people whom no newer list names. Reads and writes the
// database only.

import type { Hasher } from '#src/domain/credential/identity-hasher.ts'
import type { Database } from '#src/platform/database/database.ts'
import { isNewestList } from '../runs/compare-with-last-list.ts'
import { expirePeople } from './expire-people.ts'
import { expireRows, isExpirable, isPast, type RetentionScope } from './expire-rows.ts'
import type { ComparisonOf } from './person-records.ts'

export type Retention = Omit<RetentionScope, 'environment'>

/** What a pipeline still keeps of lists that are older than it keeps data. */
export interface RetentionLeft {
  pipeline: string
  /** Lists whose rows are still to be emptied, and how many of them wait for something. */
  lists: number
  waitingLists: number
  /** People of emptied lists who are still to be looked at, or who wait for something. At most `countLimit`. */
  people: number
}

/** Counting stops here: what is shown is an order of magnitude. */
export const countLimit = 1_000

export function retentionStore(db: Database, environment: string, hasher: Hasher) {
  return {
    /** Empties rows of the pipeline's next old list. @returns how many, and whether there may be more to do */
    expireRows: (retention: Retention, limit: number) =>
      db.transaction((sql) => expireRows(sql, { environment, ...retention }, limit)),
    /** The courses of the people who are to be looked at: their fields say how they are recognized later. */
    courses: async (pipeline: string): Promise<string[]> =>
      (
        await db.query<{ course: string }>(
          `SELECT DISTINCT i.course_uuid AS course FROM expiring_issuance q JOIN issuance i ON i.id = q.issuance_id
           WHERE i.environment = $1 AND i.pipeline = $2 ORDER BY 1`,
          [environment, pipeline],
        )
      ).rows.map(({ course }) => course),
    /** Empties the next people whom only expired lists name. */
    expirePeople: (retention: Retention, options: { comparisonOf: ComparisonOf; limit: number }) =>
      db.transaction((sql) => expirePeople(sql, { environment, ...retention }, { hasher, ...options })),
    /** What is left to do for each pipeline. @param of the environment, for commands that read all of them */
    left: async (retentions: readonly Retention[], of = environment): Promise<RetentionLeft[]> => {
      const left = await Promise.all(retentions.map((retention) => leftOf(db, { environment: of, ...retention })))
      return left.filter(({ lists, people }) => lists + people > 0)
    },
  }
}

async function leftOf(db: Database, { environment, pipeline, days, now }: RetentionScope): Promise<RetentionLeft> {
  const { rows } = await db.query<RetentionLeft>(
    `SELECT $2 AS pipeline, count(*) AS lists, count(*) FILTER (WHERE NOT (${isExpirable})) AS "waitingLists",
            (SELECT count(*) FROM (SELECT FROM expiring_issuance q JOIN issuance i ON i.id = q.issuance_id
                                   WHERE i.environment = $1 AND i.pipeline = $2 LIMIT ${countLimit}) p) AS people
     FROM run WHERE environment = $1 AND pipeline = $2 AND state = 'published' AND expired_at IS NULL AND ${isPast('settled_at', '$4', '$3')}
       AND NOT ${isNewestList('run')}`,
    [environment, pipeline, days, now],
  )
  return rows[0] as RetentionLeft
}
