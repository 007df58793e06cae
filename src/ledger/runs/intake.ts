// Brings a source's rows into the database in two steps. Rows are staged while the source is read. At the end, they are
// checked for conflicts and published together in one transaction.

import type { BrakeLimits } from '#src/domain/credential/brake.ts'
import type { Hasher } from '#src/domain/credential/identity-hasher.ts'
import { foldedName } from '#src/domain/credential/person-index.ts'
import type { PickPositions } from '#src/ledger/attempts/pick-positions.ts'
import { bytesArray, intArray, jsonArray } from '#src/platform/database/binary-array.ts'
import type { Database, Sql } from '#src/platform/database/database.ts'
import { brakeRun } from './brake.ts'
import { isCompletionsPath } from './completions-path.ts'
import { type FirstList, noteFirstList, reasonToHold } from './first-list.ts'
import { type ReadImage, removeImages, storeImages } from './images.ts'
import { lockPublications } from './publication-lock.ts'
import { publishNewRows, publishOtherRows, type SourceOfRows, withoutNestedLoops } from './publish-rows.ts'
import { refuseOtherIdentity } from './refuse-other-identity.ts'
import { refuseOtherPrimaryValue } from './refuse-other-primary-value.ts'
import type { RowsFromElsewhere } from './rows-from-elsewhere.ts'
import { type ForgottenScope, publishForgotten, setAsideForgotten } from './skip-forgotten.ts'

export interface StagedRow {
  row: number
  cells: readonly string[]
  /** Workbook cell values that were not text, as JSON. */
  raw?: string | undefined
  /** Null for a valid row. */
  violations: readonly object[] | null
  /** The recipient. For an invalid row, only the names if they still identify the person, and otherwise null. */
  recipient: Readonly<Record<string, string>> | null
  issuanceKey: Buffer | null
  identityHash: Buffer | null
  matchHashes: readonly Buffer[] | null
  /** The name, within the source, of the image that is sent with the recipient. */
  image?: string | null
  /** Whether the row is meant to be a further credential for its person. */
  renews?: boolean
}

export interface Publication {
  courseUuid: string
  format: string
  /** The cell separator of a CSV source. */
  separator?: string | undefined
  header: readonly string[]
  notices: readonly string[]
  /** The display names of the fields with a person's names. The default is those of the service's own field list. */
  nameFields?: readonly string[] | undefined
  /**
   * Set if rows may identify people by different fields. `occurrence` lists the fields that justify a second credential
   * for the same person.
   */
  primaryVaries?: { occurrence: readonly string[] } | null | undefined
  /**
   * The fields by which the pipeline identifies people and occasions, and the columns that fill them. New rows of
   * people whom the ledger knows by other fields are refused.
   */
  identified?: Pick<ForgottenScope['rule'], 'identity' | 'occurrence' | 'plan'> | undefined
  /** The title of the column with the images' names, if there are any. */
  imageColumn?: string | null | undefined
  /**
   * For a run without a file, a hash of all rules by which its rows were checked. It is stored with the invalid rows.
   */
  rulesHash?: string | undefined
  /** Limits on the size of a run. A run that an operator has approved is published whatever its size. */
  brake?: BrakeLimits | undefined
  /**
   * For the first list of a course, what the report shows for the course. If others may have issued credentials for it,
   * nothing in the list is published until an operator decides.
   */
  firstList?: FirstList | undefined
}

/**
 * @param positions the pick positions of the pipelines. Publishing a list discards its pipeline's position, because the
 * list may have rows before it
 */
export function intakeStore(db: Database, hasher: Hasher, positions: PickPositions, elsewhere: RowsFromElsewhere) {
  return {
    /** Deletes the rows that were staged before reading was interrupted. The next attempt starts from the first row. */
    async clear(runId: string): Promise<void> {
      await db.transaction(async (sql) => {
        await sql.query(`UPDATE run SET read_rows = 0 WHERE id = $1 AND state = 'received'`, [runId])
        await sql.query('DELETE FROM staged_row WHERE run_id = $1', [runId])
      })
    },
    /**
     * Stages rows, and stores the images that they name in the same transaction.
     * @param read required if a row names an image
     * @throws if a row names an image and `read` is missing, because a recipient must never be sent without their image
     */
    async stage(runId: string, rows: readonly StagedRow[], read?: ReadImage): Promise<void> {
      const names = new Set(rows.flatMap(({ image }) => (image ? [image] : [])))
      if (names.size === 0) return stageRows(db, runId, rows)
      if (!read) throw new Error(`Rows of run ${runId} name images, but there is no reader for images.`)
      await db.transaction(async (sql) => stageRows(sql, runId, rows, await storeImages(sql, names, read)))
    },
    /**
     * Publishes the staged rows of a run, its counts and its issuances in one transaction. If the ledger already knows
     * a row's credential, from this file or another one, the row is skipped, with a note of the known row's source and
     * of the fields that differ. If the brake holds the run, all of its staged rows are deleted. Finally, images that
     * no row needs are deleted.
     * @returns false if the run was already published or is braked
     * @throws if the number of staged rows differs from the number of rows that were read
     */
    async publish(runId: string, publication: Publication, rowsRead: number): Promise<boolean> {
      const pipeline = await db.transaction(async (sql) => {
        await lockPublications(sql, [publication.courseUuid])
        const { rows: runs } = await sql.query<{ sourcePath: string; state: string; approved: boolean } & SourceOfRows>(
          'SELECT environment, pipeline, source_name AS "sourceName", source_path AS "sourcePath", state, approved_at IS NOT NULL AS approved FROM run WHERE id = $1 FOR UPDATE',
          [runId],
        )
        const [run] = runs
        if (run?.state !== 'received') return null
        const { rows: staged } = await sql.query<{ count: number }>(
          'SELECT count(*) AS count FROM staged_row WHERE run_id = $1',
          [runId],
        )
        if (staged[0]?.count !== rowsRead)
          throw new Error(`Run ${runId} read ${rowsRead} rows but staged ${staged[0]?.count}; it will be read again.`)
        const { courseUuid: course, primaryVaries, nameFields = ['First Name', 'Last Name'] } = publication
        const { environment } = run
        const identified = publication.identified ?? { identity: [], occurrence: [] }
        const scope = { environment, course, hasher, rule: { nameFields, ...identified } }
        await setAsideForgotten(
          sql,
          runId,
          { ...scope, isCompletion: isCompletionsPath(run.sourcePath) },
          nameFields,
          elsewhere,
        )
        if (primaryVaries)
          await refuseOtherPrimaryValue(sql, runId, { ...run, course, rule: { nameFields, ...primaryVaries } })
        if (publication.identified) await refuseOtherIdentity(sql, runId, scope)
        await refuseIdentityConflicts(sql, runId, nameFields)
        await elsewhere.refuse(sql, runId, { environment, course, nameFields })
        const courseKey = { environment, course }
        const shows = await reasonToHold(sql, courseKey, publication.firstList)
        const limits = run.approved ? undefined : publication.brake
        const brakeResult =
          limits || shows !== null ? await brakeRun(sql, runId, course, { limits, shows, elsewhere }) : null
        if (brakeResult?.held) return null
        if (publication.firstList) await noteFirstList(sql, courseKey, { shows })
        await publishForgotten(sql, runId, scope, elsewhere)
        await publishNewRows(sql, runId, course, run)
        await renewImages(sql, runId, course)
        await publishOtherRows(sql, runId, course, publication.imageColumn ?? 'image')
        if (publication.rulesHash !== undefined) await elsewhere.noteRulesHash(sql, runId, publication.rulesHash)
        await notePublished(sql, runId, {
          ...publication,
          notices: [...publication.notices, ...(brakeResult?.notices ?? [])],
        })
        await renewStatistics(sql, rowsRead)
        return run.pipeline
      })
      if (pipeline !== null) positions.forget(pipeline)
      await removeImages(db)
      return pipeline !== null
    },
  }
}

/**
 * Updates the statistics of tables that a list has made much longer, because the planner would otherwise still assume
 * that they are nearly empty. A list of less than a tenth of their size should change no plan
 * (docs/decisions/0063-plans-by-key.md). It is left to PostgreSQL's own maintenance, because the update takes a second
 * in a large ledger. Runs before the commit. When it ran afterwards, a batch that another worker prepared in between
 * took minutes, and all other workers waited for its lock.
 */
async function renewStatistics(sql: Sql, rowsRead: number): Promise<void> {
  if (rowsRead < 500) return
  const { rows } = await sql.query<{ isLonger: boolean }>(
    `SELECT reltuples < $1 * 10 AS "isLonger" FROM pg_class WHERE oid = 'issuance'::regclass`,
    [rowsRead],
  )
  if (rows[0]?.isLonger) await sql.query('ANALYZE issuance, issuance_match, run_row')
}

/**
 * Stages rows only while the run is waiting to be read. A reader that was declared dead and then resumes must not leave
 * personal data behind in a run that was published in the meantime.
 * @param hashes the SHA-256 of the images that the rows name, which are already stored
 * @throws if the run does not exist or is no longer waiting to be read
 */
function stageRows(
  sql: Sql,
  runId: string,
  rows: readonly StagedRow[],
  hashes: ReadonlyMap<string, Buffer> = new Map(),
): Promise<void> {
  // Not an async function, because while waiting it would keep the rows in memory, in addition to the arrays made from
  // them.
  const renewing = rows.flatMap(({ row, renews }) => (renews ? [row] : []))
  return insertStaged(sql, runId, { count: rows.length, renewing }, columnArrays(rows, hashes))
}

async function insertStaged(
  sql: Sql,
  runId: string,
  { count, renewing }: { count: number; renewing: readonly number[] },
  arrays: readonly Buffer[],
): Promise<void> {
  if (count === 0) return
  const staged = await sql.query(
    `WITH noted AS (UPDATE run SET read_rows = read_rows + $12 WHERE id = $1 AND state = 'received' RETURNING id)
     INSERT INTO staged_row (run_id, row_number, cells, raw, violations, recipient, issuance_key, identity_hash, match_hashes, image_sha256, renews)
     SELECT noted.id, r.row_number, r.cells, r.raw, r.violations, r.recipient, r.issuance_key, r.identity_hash,
            CASE WHEN r.match_one IS NULL THEN NULL WHEN r.match_two IS NULL THEN ARRAY[r.match_one] ELSE ARRAY[r.match_one, r.match_two] END, r.image_sha256, r.row_number = ANY($13::int[])
     FROM noted, unnest($2::int[], $3::jsonb[], $4::jsonb[], $5::jsonb[], $6::jsonb[], $7::bytea[], $8::bytea[], $9::bytea[], $10::bytea[], $11::bytea[])
       AS r(row_number, cells, raw, violations, recipient, issuance_key, identity_hash, match_one, match_two, image_sha256)`,
    [runId, ...arrays, count, renewing],
  )
  if (staged.rowCount === 0) throw new Error(`There is no run ${runId} waiting to be read; nothing was staged.`)
}

function columnArrays(rows: readonly StagedRow[], hashes: ReadonlyMap<string, Buffer>): Buffer[] {
  const text = (value: unknown) => (value === null ? null : JSON.stringify(value))
  return [
    intArray(rows.map((row) => row.row)),
    jsonArray(rows.map((row) => text(row.cells))),
    jsonArray(rows.map((row) => row.raw ?? null)),
    jsonArray(rows.map((row) => text(row.violations))),
    jsonArray(rows.map((row) => text(row.recipient))),
    bytesArray(rows.map((row) => row.issuanceKey)),
    bytesArray(rows.map((row) => row.identityHash)),
    bytesArray(rows.map((row) => row.matchHashes?.[0] ?? null)),
    bytesArray(rows.map((row) => row.matchHashes?.[1] ?? null)),
    bytesArray(rows.map(({ image }) => (image ? (hashes.get(image) ?? null) : null))),
  ]
}

async function notePublished(sql: Sql, runId: string, publication: Publication) {
  await sql.query(
    `UPDATE run SET state = 'published', published_at = clock_timestamp(), course_uuid = $2, format = $3, separator = $6, header = $4, notices = run.notices || $5,
       rows = n.rows, invalid = n.invalid, skipped = n.skipped, accepted = n.accepted, changed = n.changed, known = n.skipped - n.changed - n.not_meant
     FROM (SELECT count(*) AS rows, count(*) FILTER (WHERE outcome = 'invalid') AS invalid, count(*) FILTER (WHERE outcome = 'skipped') AS skipped,
                  count(*) FILTER (WHERE outcome = 'accepted') AS accepted, count(changed_fields) AS changed,
                  count(*) FILTER (WHERE outcome = 'skipped' AND issuance_id IS NULL AND forgotten_at IS NULL) AS not_meant FROM run_row WHERE run_id = $1) n
     WHERE id = $1`,
    [
      runId,
      publication.courseUuid,
      publication.format,
      JSON.stringify(publication.header),
      JSON.stringify(publication.notices),
      publication.separator ?? null,
    ],
  )
}

/**
 * Replaces the image of failed rows by the one in the staged list if nothing else about them differs. The old image may
 * be the reason why they failed, and `credsync retry` then sends the new one. If a list contains a person several
 * times, the first row counts.
 */
async function renewImages(sql: Sql, runId: string, course: string): Promise<void> {
  await sql.query(
    `UPDATE issuance i SET image_sha256 = s.image_sha256
     FROM (SELECT DISTINCT ON (issuance_key) issuance_key, recipient, image_sha256, run_id FROM staged_row
           WHERE run_id = $1 AND violations IS NULL AND image_sha256 IS NOT NULL ORDER BY issuance_key, row_number) s
     JOIN run ON run.id = s.run_id
     WHERE i.environment = run.environment AND i.course_uuid = $2 AND i.issuance_key = s.issuance_key AND i.recipient = s.recipient
       AND i.state = 'failed' AND i.credential_id IS NULL AND i.image_sha256 IS DISTINCT FROM s.image_sha256`,
    [runId, course],
  )
}

/** An identity whose rows spell the name differently. Each spelling is a list of the name's parts. */
interface SpelledIdentity {
  identity: Buffer
  spellings: string[][]
}

// The maximum number of identities in memory at a time. Few files have more than a thousand conflicts.
const maxIdentitiesAtOnce = 5_000

/**
 * Refuses rows of one file that have the same identity but different names. They may be two people or contain a typo,
 * which cannot be determined here, so all of them are returned to their owner. Rows that were refused for another
 * reason are included, because their identity may be correct. Further rows with the same identity and the same name are
 * duplicates rather than conflicts. Names are compared only if an identity occurs more than once, which is rare,
 * because extracting the names of every row takes longer than finding these identities. The comparison uses the same
 * code as the dry run.
 */
export async function refuseIdentityConflicts(
  sql: Sql,
  runId: string,
  nameFields: readonly string[],
  atOnce = maxIdentitiesAtOnce,
): Promise<void> {
  const name = `jsonb_build_array(${nameFields.map((_, index) => `coalesce(recipient->>$${index + 4}::text, '')`).join(', ')})`
  let after: Buffer = Buffer.alloc(0)
  await withoutNestedLoops(sql, async () => {
    for (;;) {
      const { rows } = await sql.query<SpelledIdentity>(
        `WITH again AS MATERIALIZED (
           SELECT identity_hash FROM staged_row WHERE run_id = $1 AND identity_hash > $2 GROUP BY identity_hash HAVING count(*) > 1)
         SELECT identity_hash AS identity, jsonb_agg(DISTINCT ${name}) AS spellings FROM again JOIN staged_row USING (identity_hash)
         WHERE run_id = $1 GROUP BY identity_hash HAVING count(DISTINCT ${name}) > 1 ORDER BY identity_hash LIMIT $3`,
        [runId, after, atOnce, ...nameFields],
      )
      const conflicts = rows.filter(({ spellings }) => new Set(spellings.map(foldedName)).size > 1)
      if (conflicts.length > 0)
        await refuseIdentities(
          sql,
          runId,
          conflicts.map(({ identity }) => identity),
        )
      if (rows.length < atOnce) return
      after = rows.at(-1)?.identity ?? after
    }
  })
}

async function refuseIdentities(sql: Sql, runId: string, identities: readonly Buffer[]): Promise<void> {
  const sentence = `'Rows ' || array_to_string(c.rows[1:5], ', ') || CASE WHEN cardinality(c.rows) > 5 THEN ' and ' || cardinality(c.rows) - 5 || ' more' ELSE '' END || ' give the same person different names. Correct the names or the identity.'`
  await sql.query(
    `WITH conflict AS (
       SELECT identity_hash, array_agg(row_number ORDER BY row_number) AS rows FROM unnest($2::bytea[]) identity_hash JOIN staged_row USING (identity_hash)
       WHERE run_id = $1 GROUP BY identity_hash)
     UPDATE staged_row s SET recipient = NULL, issuance_key = NULL, identity_hash = NULL, match_hashes = NULL,
       violations = coalesce(s.violations, '[]') || jsonb_build_array(jsonb_build_object('row', s.row_number, 'column', '', 'field', '', 'rule', 'identity_conflict', 'value', '', 'sentence', ${sentence}))
     FROM conflict c WHERE s.run_id = $1 AND s.identity_hash = c.identity_hash`,
    [runId, bytesArray(identities)],
  )
}
