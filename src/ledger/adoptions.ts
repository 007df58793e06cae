// The verbs of an adoption: what the report shows of a course, and was not sent by us, becomes issuances of a run of its own.

import type { Database, Sql } from '#src/database/database.ts'
import { type AdoptedItem, insertAdopted, keepSpare, recountSurplus } from './adopt-items.ts'
import { type AdoptionStanding, readStanding } from './adoption-standing.ts'
import { takeOver } from './take-over.ts'

export { AdoptionOvertakenError } from './adoption-overtaken-error.ts'

export type AdoptionVerbs = ReturnType<typeof adoptionVerbs>

/** What one transaction writes. Issuances by the hex of their key, whether they are made here or were there. */
export interface AdoptionBatch {
  fresh: readonly AdoptedItem[]
  /** Rows that wait to be sent, or that failed, and take the item instead. */
  waiting: readonly AdoptedItem[]
  /** Failed rows, with how many of the items that are noted beside them are still worth something. */
  recounted: readonly { issuanceKey: string; surplus: number }[]
  /** Items beside the one that an issuance has; only those that count are told of. */
  spare: readonly { issuanceKey: string; key: string; fingerprint: string; counts: boolean }[]
}

export interface AdoptionOf {
  pipeline: string
  course: string
  /** certificate_name */
  certificate: string
}

/** The verbs of one environment. */
export function adoptionVerbs(db: Database, environment: string) {
  return {
    /** The names under which the report is known to show a course: learned from our own credentials, or adopted before. */
    namesOf: async (course: string): Promise<string[]> => {
      const { rows } = await db.query<{ name: string }>(
        `SELECT certificate_name AS name FROM course WHERE environment = $1 AND course_uuid = $2 AND certificate_name IS NOT NULL
         UNION SELECT adopts FROM run WHERE environment = $1 AND course_uuid = $2 AND adopts IS NOT NULL ORDER BY name`,
        [environment, course],
      )
      return rows.map((row) => row.name)
    },
    /** The other courses that the report is known to show under a name. */
    othersCalled: async (name: string, course: string): Promise<string[]> => {
      const { rows } = await db.query<{ uuid: string }>(
        `SELECT course_uuid AS uuid FROM course WHERE environment = $1 AND certificate_name = $2 AND course_uuid <> $3
         UNION SELECT course_uuid FROM run WHERE environment = $1 AND adopts = $2 AND course_uuid <> $3`,
        [environment, name, course],
      )
      return rows.map((row) => row.uuid)
    },
    /** What the ledger knows of people and items; nothing is locked. */
    standing: (course: string, of: Parameters<typeof readStanding>[3]) => readStanding(db, environment, course, of),
    /**
     * One transaction, beside which nothing is published for the course: `decide` gets what the ledger knows, with the issuances locked, and its batch is
     * written.
     * @throws AdoptionOvertakenError when a reading of the report has claimed one of the items meanwhile
     */
    write: <Decided extends { batch: AdoptionBatch }>(
      of: AdoptionOf,
      about: Parameters<typeof readStanding>[3],
      decide: (standing: AdoptionStanding) => Decided,
    ): Promise<Decided> =>
      db.transaction(async (sql) => {
        await sql.query('SET LOCAL lock_timeout = 0')
        await sql.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`credsync:publish:${of.course}`])
        const decided = decide(await readStanding(sql, environment, of.course, about, 'FOR UPDATE OF i'))
        await writeBatch(sql, environment, of, decided.batch)
        return decided
      }),
    /** Without fresh statistics the planner takes the tables for empty, and each batch walks all that the ones before it wrote. */
    refreshStatistics: async () => void (await db.query('ANALYZE issuance, issuance_match, claim, run_row')),
    /** The run of an adoption that was not finished, or nothing. */
    unfinished: (of: Omit<AdoptionOf, 'certificate'>) => findOpen(db, environment, of),
    /** @returns the id of the run that holds what was adopted; null when there was nothing */
    finish: async (of: Omit<AdoptionOf, 'certificate'>, notices: readonly string[]): Promise<string | null> => {
      const { rows } = await db.query<{ id: string }>(
        `UPDATE run SET adopting = false, notices = $4 WHERE environment = $1 AND pipeline = $2 AND course_uuid = $3 AND adopting RETURNING id`,
        [environment, of.pipeline, of.course, JSON.stringify(notices)],
      )
      return rows[0]?.id ?? null
    },
  }
}

async function writeBatch(sql: Sql, environment: string, of: AdoptionOf, batch: AdoptionBatch): Promise<void> {
  if (batch.fresh.length > 0) {
    const run = await openRun(sql, environment, of)
    await insertAdopted(sql, { environment, ...of, ...run }, batch.fresh)
  }
  await recountSurplus(sql, environment, of.course, batch.recounted)
  await takeOver(sql, environment, of.course, batch.waiting)
  await keepSpare(sql, environment, of.course, batch.spare)
}

async function findOpen(sql: Sql, environment: string, { pipeline, course }: Omit<AdoptionOf, 'certificate'>) {
  const { rows } = await sql.query<{ run: string; rows: number }>(
    `SELECT id AS run, rows FROM run WHERE environment = $1 AND pipeline = $2 AND course_uuid = $3 AND adopting FOR UPDATE`,
    [environment, pipeline, course],
  )
  return rows[0] ?? null
}

/** That of an adoption which was not finished, under whatever name, or a new one. */
async function openRun(sql: Sql, environment: string, of: AdoptionOf): Promise<{ run: string; rows: number }> {
  const open = await findOpen(sql, environment, of)
  if (open) return open
  const { rows } = await sql.query<{ run: string; rows: number }>(
    `INSERT INTO run (environment, pipeline, course_uuid, source_name, source_path, source_sha256, header, state, published_at, adopts, adopting, notices)
     SELECT $1, $2, $3, 'adopted from the report, ' || to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD'), '', 'adoption ' || gen_random_uuid(), '[]', 'published',
            clock_timestamp(), $4, true, $5
     RETURNING id AS run, rows`,
    [environment, of.pipeline, of.course, of.certificate, JSON.stringify([unfinished])],
  )
  // An empty run balances now; at the end of the transaction its first rows would be counted against this beginning.
  await sql.query('SET CONSTRAINTS run_balances IMMEDIATE')
  await sql.query('SET CONSTRAINTS run_balances DEFERRED')
  return rows[0] as { run: string; rows: number }
}

const unfinished =
  'This adoption was not finished: say `credsync adopt` again before anything is issued for the course.'
