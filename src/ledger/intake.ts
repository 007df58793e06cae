// From a source to ledger rows, in two steps: rows are staged while the source is read, and published all at once when it ended well.

import { bytesArray, intArray, jsonArray } from '#src/database/binary-array.ts'
import type { Database, Sql } from '#src/database/database.ts'
import type { BrakeLimits } from '#src/issuance/brake.ts'
import { brakeRun } from './brake.ts'
import { compareWithLastList } from './last-list.ts'
import { publishNewRows, publishOtherRows, type SourceOfRows } from './publish-rows.ts'
import { refuseConflicts } from './refuse-conflicts.ts'
import { refuseKnownTwice } from './refuse-known-twice.ts'
import { refuseOtherIdentity } from './refuse-other-identity.ts'
import { noteRefusedBy } from './refused-completions.ts'
import { renewImages } from './renew-images.ts'

export interface StagedRow {
  row: number
  cells: readonly string[]
  /** Null for a row that is in order. */
  violations: readonly object[] | null
  /** Of a row that is not in order nothing but names, and they only where it still says whom it is about. */
  recipient: Readonly<Record<string, string>> | null
  issuanceKey: Buffer | null
  identityHash: Buffer | null
  matchHashes: readonly Buffer[] | null
  /** The name, in its source, of the image that travels with the recipient. */
  image?: string | null
}

export interface Publication {
  courseUuid: string
  format: string
  /** Of a CSV source. */
  separator?: string | undefined
  header: readonly string[]
  notices: readonly string[]
  /** Display names of the fields for a person's names; those of the service's own list when left out. */
  nameFields?: readonly string[] | undefined
  /** Where rows may say by different fields who they are: the fields that make a second credential for the same person legitimate. */
  primaryVaries?: { occurrence: readonly string[] } | null | undefined
  /** The fields by which the pipeline tells people and occasions apart; new rows of people who are known under other ones are then refused. */
  identified?: { identity: readonly string[]; occurrence: readonly string[] } | undefined
  /** The title of the column that names the images, where they travel. */
  imageColumn?: string | null | undefined
  /** Of a run of completions: a hash of all that its rows were checked by, kept with those that are invalid. */
  rules?: string | undefined
  /** What holds a run that is too large. One that a person has approved is published whatever its size. */
  brake?: BrakeLimits | undefined
}

/** A reading that died halfway left its rows behind; the next one starts from the first row. */
export async function clearStaged(sql: Sql, runId: string): Promise<void> {
  await sql.query('DELETE FROM staged_row WHERE run_id = $1', [runId])
  await sql.query(`UPDATE run SET read_rows = 0 WHERE id = $1 AND state = 'received'`, [runId])
}

/**
 * Only while the run is still to be read: a reader that was taken for dead and wakes must not leave people behind in a run that was published.
 * @param hashes SHA-256 of the images that the rows name, which are stored already
 * @throws when the run is not there, or is not to be read any more
 */
export function stageRows(
  sql: Sql,
  runId: string,
  rows: readonly StagedRow[],
  hashes: ReadonlyMap<string, Buffer> = new Map(),
): Promise<void> {
  // Not async: whoever waits would hold the rows beside what is sent of them.
  return insertStaged(sql, runId, rows.length, arraysOf(rows, hashes))
}

async function insertStaged(sql: Sql, runId: string, count: number, arrays: readonly Buffer[]): Promise<void> {
  if (count === 0) return
  const staged = await sql.query(
    `WITH noted AS (UPDATE run SET read_rows = read_rows + $11 WHERE id = $1 AND state = 'received' RETURNING id)
     INSERT INTO staged_row (run_id, row_number, cells, violations, recipient, issuance_key, identity_hash, match_hashes, image_sha256)
     SELECT noted.id, r.row_number, r.cells, r.violations, r.recipient, r.issuance_key, r.identity_hash,
            CASE WHEN r.match_one IS NULL THEN NULL WHEN r.match_two IS NULL THEN ARRAY[r.match_one] ELSE ARRAY[r.match_one, r.match_two] END, r.image_sha256
     FROM noted, unnest($2::int[], $3::jsonb[], $4::jsonb[], $5::jsonb[], $6::bytea[], $7::bytea[], $8::bytea[], $9::bytea[], $10::bytea[])
       AS r(row_number, cells, violations, recipient, issuance_key, identity_hash, match_one, match_two, image_sha256)`,
    [runId, ...arrays, count],
  )
  if (staged.rowCount === 0) throw new Error(`There is no run ${runId} that is still to be read; nothing was staged.`)
}

function arraysOf(rows: readonly StagedRow[], hashes: ReadonlyMap<string, Buffer>): Buffer[] {
  const text = (value: unknown) => (value === null ? null : JSON.stringify(value))
  return [
    intArray(rows.map((each) => each.row)),
    jsonArray(rows.map((each) => text(each.cells))),
    jsonArray(rows.map((each) => text(each.violations))),
    jsonArray(rows.map((each) => text(each.recipient))),
    bytesArray(rows.map((each) => each.issuanceKey)),
    bytesArray(rows.map((each) => each.identityHash)),
    bytesArray(rows.map((each) => each.matchHashes?.[0] ?? null)),
    bytesArray(rows.map((each) => each.matchHashes?.[1] ?? null)),
    bytesArray(rows.map(({ image }) => (image ? (hashes.get(image) ?? null) : null))),
  ]
}

/**
 * Publishes the staged rows of a run in one transaction: rows, invalid, skipped, accepted and the issuances appear together.
 * A row whose credential the ledger already knows, from this file or any other, is skipped and says where it is known from, and which fields it
 * fills otherwise. A run that the brake holds keeps none of it.
 * @returns false when the run was published already, or is braked
 * @throws when fewer rows are staged than were read
 */
export async function publishRun(
  database: Database,
  runId: string,
  publication: Publication,
  rowsRead: number,
): Promise<boolean> {
  return database.transaction(async (sql) => {
    // A million rows take longer than any other statement may.
    await sql.query('SET LOCAL statement_timeout = 0')
    await sql.query('SET LOCAL lock_timeout = 0')
    // One at a time for a course: two files that name the same people in another order would each wait for the other's rows.
    await sql.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
      `credsync:publish:${publication.courseUuid}`,
    ])
    const { rows: runs } = await sql.query<{ state: string; approved: boolean } & SourceOfRows>(
      'SELECT environment, pipeline, source_name AS "sourceName", state, approved_at IS NOT NULL AS approved FROM run WHERE id = $1 FOR UPDATE',
      [runId],
    )
    const [run] = runs
    if (run?.state !== 'received') return false
    const { rows: staged } = await sql.query<{ count: number }>(
      'SELECT count(*) AS count FROM staged_row WHERE run_id = $1',
      [runId],
    )
    if (staged[0]?.count !== rowsRead)
      throw new Error(`The run ${runId} read ${rowsRead} rows and staged ${staged[0]?.count}; it is read again.`)
    const { courseUuid: course, primaryVaries, nameFields = ['First Name', 'Last Name'] } = publication
    if (primaryVaries) await refuseKnownTwice(sql, runId, { ...run, course, rule: { nameFields, ...primaryVaries } })
    if (publication.identified)
      await refuseOtherIdentity(sql, runId, { ...run, course, rule: { nameFields, ...publication.identified } })
    await refuseConflicts(sql, runId, nameFields)
    const brake = run.approved ? undefined : publication.brake
    const judged = brake && (await brakeRun(sql, runId, course, brake))
    if (judged?.held) return false
    await publishNewRows(sql, runId, course, run)
    await renewImages(sql, runId, course)
    await publishOtherRows(sql, runId, course, publication.imageColumn ?? 'image')
    await compareWithLastList(sql, runId, course)
    if (publication.rules !== undefined) await noteRefusedBy(sql, runId, publication.rules)
    await notePublished(sql, runId, {
      ...publication,
      notices: [...publication.notices, ...(judged?.notices ?? [])],
    })
    // Without fresh statistics the planner takes the tables for empty. Before the commit and not after it: a batch that another worker prepared
    // in between took minutes, with everybody else waiting for their turn.
    if (rowsRead >= 500) await sql.query('ANALYZE issuance, issuance_match, run_row')
    return true
  })
}

async function notePublished(sql: Sql, runId: string, of: Publication) {
  await sql.query(
    `UPDATE run SET state = 'published', published_at = clock_timestamp(), course_uuid = $2, format = $3, separator = $6, header = $4, notices = run.notices || $5,
       rows = n.rows, invalid = n.invalid, skipped = n.skipped, accepted = n.accepted, changed = n.changed, known = n.skipped - n.changed
     FROM (SELECT count(*) AS rows, count(*) FILTER (WHERE outcome = 'invalid') AS invalid, count(*) FILTER (WHERE outcome = 'skipped') AS skipped,
                  count(*) FILTER (WHERE outcome = 'accepted') AS accepted, count(changed_fields) AS changed FROM run_row WHERE run_id = $1) n
     WHERE id = $1`,
    [runId, of.courseUuid, of.format, JSON.stringify(of.header), JSON.stringify(of.notices), of.separator ?? null],
  )
}
