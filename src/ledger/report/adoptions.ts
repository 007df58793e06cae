// Carries out adoptions. An adoption turns the items that the report shows for a course, and that credsync did not
// send, into issuances of a separate run. Reads and writes the database; the report is read elsewhere.

import type { Hasher } from '#src/domain/credential/identity-hasher.ts'
import { bytesArray } from '#src/platform/database/binary-array.ts'
import type { Database, Sql } from '#src/platform/database/database.ts'
import { lockWithBatches } from '../attempts/attempts.ts'
import { settleFirstList } from '../runs/first-list.ts'
import { type AdoptedItem, insertAdopted, recordExtraItems, recountSurplus } from './adopt-items.ts'
import { type AdoptionSubjects, type KnownForAdoption, readKnownForAdoption } from './known-for-adoption.ts'
import { takeOver } from './take-over-items.ts'

export { AdoptionOvertakenError } from './adopt-items.ts'

export type AdoptionStore = ReturnType<typeof adoptionStore>

/** The changes that one transaction writes. New and known issuances are identified by their key in hexadecimal. */
export interface AdoptionBatch {
  /** Items that become new issuances. */
  fresh: readonly AdoptedItem[]
  /** Items that a pending or failed row takes over, so that the row is not sent (again). */
  waiting: readonly AdoptedItem[]
  /** Failed rows, each with the number of its surplus items that are still valid. */
  recounted: readonly { issuanceKey: string; surplus: number }[]
  /** Items of an issuance beyond its own. Only those with `countsAsSurplus` are reported. */
  extraItems: readonly { issuanceKey: string; key: string; fingerprint: string; countsAsSurplus: boolean }[]
}

export interface AdoptionScope {
  pipeline: string
  course: string
  /** The report's `certificate_name`. */
  certificateName: string
}

export function adoptionStore(db: Database, environment: string, hasher: Hasher) {
  return {
    /**
     * Returns the names under which the report shows a course, learned from our own credentials or from earlier
     * adoptions.
     */
    namesOf: async (course: string): Promise<string[]> => {
      const { rows } = await db.query<{ name: string }>(
        `SELECT certificate_name AS name FROM course WHERE environment = $1 AND course_uuid = $2 AND certificate_name IS NOT NULL
         UNION SELECT adopts FROM run WHERE environment = $1 AND course_uuid = $2 AND adopts IS NOT NULL ORDER BY name`,
        [environment, course],
      )
      return rows.map((row) => row.name)
    },
    /** Returns other courses that the report shows under this name. */
    othersCalled: async (name: string, course: string): Promise<string[]> => {
      const { rows } = await db.query<{ uuid: string }>(
        `SELECT course_uuid AS uuid FROM course WHERE environment = $1 AND certificate_name = $2 AND course_uuid <> $3
         UNION SELECT course_uuid FROM run WHERE environment = $1 AND adopts = $2 AND course_uuid <> $3`,
        [environment, name, course],
      )
      return rows.map((row) => row.uuid)
    },
    /** Reads what the ledger knows about people and items, without locking anything. */
    known: (course: string, subjects: AdoptionSubjects) =>
      readKnownForAdoption(db, environment, course, subjects, { hasher }),
    /**
     * Locks the issuances, passes what the ledger knows to `decide`, and writes the batch that it returns, all in one
     * transaction. Until it ends, nothing else can be published for the course.
     * @throws AdoptionOvertakenError if a scan of the report has claimed one of the items in the meantime
     */
    write: <Decided extends { batch: AdoptionBatch }>(
      adoption: AdoptionScope,
      subjects: AdoptionSubjects,
      decide: (known: KnownForAdoption) => Decided,
    ): Promise<Decided> =>
      db.transaction(async (sql) => {
        await sql.query('SET LOCAL lock_timeout = 0')
        await sql.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
          `credsync:publish:${adoption.course}`,
        ])
        await lockWithBatches(sql, await issuanceIdsOf(sql, environment, adoption.course, subjects.issuanceKeys))
        const decided = decide(
          await readKnownForAdoption(sql, environment, adoption.course, subjects, { hasher, lock: 'FOR UPDATE OF i' }),
        )
        await writeBatch(sql, environment, adoption, decided.batch)
        return decided
      }),
    /**
     * Updates the planner's statistics. Otherwise the planner assumes that the tables are empty, and each batch scans
     * everything that the earlier batches have written.
     */
    refreshStatistics: async () => void (await db.query('ANALYZE issuance, issuance_match, report_claim, run_row')),
    /** Returns the run of an unfinished adoption, or null. */
    unfinished: (adoption: Omit<AdoptionScope, 'certificateName'>) => findOpenRun(db, environment, adoption),
    /** Completes an adoption. @returns the id of the run with the adopted items; null if nothing was adopted */
    finish: (adoption: Omit<AdoptionScope, 'certificateName'>, notices: readonly string[]): Promise<string | null> =>
      db.transaction(async (sql) => {
        const { rows } = await sql.query<{ id: string }>(
          `UPDATE run SET adopting = false, notices = $4 WHERE environment = $1 AND pipeline = $2 AND course_uuid = $3 AND adopting RETURNING id`,
          [environment, adoption.pipeline, adoption.course, JSON.stringify(notices)],
        )
        await settleFirstList(sql, { environment, course: adoption.course }, 'adopted')
        return rows[0]?.id ?? null
      }),
    /** Returns runs that are held until an operator decides, because of what the report shows for the course. */
    heldRuns: async (course: string): Promise<{ id: string; sourceName: string }[]> => {
      const { rows } = await db.query<{ id: string; sourceName: string }>(
        `SELECT id, source_name AS "sourceName" FROM run WHERE environment = $1 AND course_uuid = $2 AND state = 'braked' AND shown ORDER BY received_at`,
        [environment, course],
      )
      return rows
    },
  }
}

async function issuanceIdsOf(
  sql: Sql,
  environment: string,
  course: string,
  keys: readonly Buffer[],
): Promise<number[]> {
  const { rows } = await sql.query<{ id: number }>(
    'SELECT id FROM issuance WHERE environment = $1 AND course_uuid = $2 AND issuance_key = ANY($3::bytea[])',
    [environment, course, bytesArray(keys)],
  )
  return rows.map((row) => row.id)
}

async function writeBatch(sql: Sql, environment: string, adoption: AdoptionScope, batch: AdoptionBatch): Promise<void> {
  if (batch.fresh.length > 0) {
    const run = await openRun(sql, environment, adoption)
    await insertAdopted(sql, { environment, ...adoption, ...run }, batch.fresh)
  }
  await recountSurplus(sql, environment, adoption.course, batch.recounted)
  await takeOver(sql, environment, adoption.course, batch.waiting)
  await recordExtraItems(sql, environment, adoption.course, batch.extraItems)
}

async function findOpenRun(
  sql: Sql,
  environment: string,
  { pipeline, course }: Omit<AdoptionScope, 'certificateName'>,
) {
  const { rows } = await sql.query<{ run: string; rows: number }>(
    `SELECT id AS run, rows FROM run WHERE environment = $1 AND pipeline = $2 AND course_uuid = $3 AND adopting FOR UPDATE`,
    [environment, pipeline, course],
  )
  return rows[0] ?? null
}

/** Returns the run of an unfinished adoption, even if it was started for another certificate name, or creates a run. */
async function openRun(sql: Sql, environment: string, adoption: AdoptionScope): Promise<{ run: string; rows: number }> {
  const open = await findOpenRun(sql, environment, adoption)
  if (open) return open
  const { rows } = await sql.query<{ run: string; rows: number }>(
    `INSERT INTO run (environment, pipeline, course_uuid, source_name, source_path, source_sha256, header, state, published_at, adopts, adopting, notices)
     SELECT $1, $2, $3, 'adopted from the report, ' || to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD'), '', 'adoption ' || gen_random_uuid(), '[]', 'published',
            clock_timestamp(), $4, true, $5
     RETURNING id AS run, rows`,
    [environment, adoption.pipeline, adoption.course, adoption.certificateName, JSON.stringify([unfinishedNotice])],
  )
  // Checks the empty run now. If the check were deferred to the end of the transaction, it would compare the counts of
  // the empty run with the rows inserted by then.
  await sql.query('SET CONSTRAINTS run_balances IMMEDIATE')
  await sql.query('SET CONSTRAINTS run_balances DEFERRED')
  return rows[0] as { run: string; rows: number }
}

const unfinishedNotice =
  'This adoption is not finished: run `credsync adopt` again before anything is issued for the course.'
