// Carries out corrections once the old credential is revoked. One transaction moves the issuance key from the old
// issuance to the new one, and links the two. Nothing is issued again before the service or the report has confirmed
// the revocation. Writes to the database within the caller's transaction.

import type { Sql } from '#src/platform/database/database.ts'
import { requestResultsFor } from '../runs/write-backs.ts'

/**
 * Returns corrections that are not carried out yet although the service or the report has confirmed their revocation.
 */
export async function readyCorrections(sql: Sql, environment: string): Promise<number[]> {
  const { rows } = await sql.query<{ id: number }>(
    `SELECT id FROM revocation WHERE environment = $1 AND state IN ('accepted', 'seen') AND correction IS NOT NULL ORDER BY id`,
    [environment],
  )
  return rows.map((row) => row.id)
}

interface ReadyCorrection {
  issuance: number
  environment: string
  course: string
  pipeline: string
  key: Buffer
  recipient: Record<string, string>
  fields: string[]
  /** Who requested the correction, and why. */
  by: string
  why: string
}

/**
 * Creates a pending issuance with the corrected data. It gets a separate run, because the totals of the source's run
 * must not change.
 * @returns the id of the new issuance; null if there is nothing (or no longer anything) to carry out
 * @throws if the stored data do not match the key of this credential
 */
export async function carryOut(sql: Sql, environment: string, revocationId: number): Promise<number | null> {
  const ready = await lockReady(sql, environment, revocationId)
  if (!ready) return null
  await sql.query('UPDATE issuance SET issuance_key = superseded_key(issuance_key, id) WHERE id = $1', [ready.issuance])
  const run = await createRun(sql, revocationId, ready)
  const issuance = await insertIssuance(sql, revocationId, run, ready)
  await sql.query(
    `INSERT INTO run_row (run_id, row_number, outcome, cells, issuance_id) VALUES ($1, 1, 'accepted', $2, $3)`,
    [run, JSON.stringify(Object.values(ready.recipient)), issuance],
  )
  // The data are now stored with the issuance, so the copy is removed. Otherwise it would have to be deleted separately
  // when the person's data are deleted.
  await sql.query('UPDATE revocation SET corrected_as = $2, correction = NULL WHERE id = $1', [revocationId, issuance])
  const evidence = {
    by: ready.by,
    why: ready.why,
    as: `i${issuance}`,
    fields: ready.fields.join(', '),
    revocation: revocationId,
  }
  await sql.query(`INSERT INTO history (issuance_id, event, evidence) VALUES ($1, 'corrected', $2)`, [
    ready.issuance,
    JSON.stringify(evidence),
  ])
  await requestResultsFor(sql, [ready.issuance])
  return issuance
}

async function lockReady(sql: Sql, environment: string, revocationId: number): Promise<ReadyCorrection | null> {
  const { rows } = await sql.query<ReadyCorrection>(
    `SELECT i.id AS issuance, i.environment, i.course_uuid AS course, i.pipeline, i.issuance_key AS key, r.correction->'recipient' AS recipient,
            r.changed_fields AS fields, coalesce(r.correction_by, r.by) AS by, coalesce(r.correction_why, r.why) AS why
     FROM revocation r JOIN issuance i ON i.id = r.issuance_id
     WHERE r.environment = $1 AND r.id = $2 AND r.state IN ('accepted', 'seen') AND r.correction IS NOT NULL FOR UPDATE`,
    [environment, revocationId],
  )
  return rows[0] ?? null
}

async function createRun(sql: Sql, revocationId: number, correction: ReadyCorrection): Promise<string> {
  const { rows } = await sql.query<{ id: string }>(
    `INSERT INTO run (environment, pipeline, course_uuid, source_name, source_path, source_sha256, format, header, state, rows, accepted, read_rows, published_at, corrects)
     VALUES ($1, $2, $3, $4, '', $5, 'csv', $6, 'published', 1, 1, 1, clock_timestamp(), $7) RETURNING id`,
    [
      correction.environment,
      correction.pipeline,
      correction.course,
      `correction of i${correction.issuance}`,
      `correction ${revocationId}`,
      JSON.stringify(Object.keys(correction.recipient)),
      correction.issuance,
    ],
  )
  return rows[0]?.id as string
}

async function insertIssuance(
  sql: Sql,
  revocationId: number,
  run: string,
  correction: ReadyCorrection,
): Promise<number> {
  const evidence = {
    corrects: `i${correction.issuance}`,
    by: correction.by,
    why: correction.why,
    fields: correction.fields.join(', '),
    run,
  }
  const { rows } = await sql.query<{ id: number }>(
    `INSERT INTO issuance (environment, course_uuid, issuance_key, identity_hash, run_id, row_number, pipeline, recipient, event, evidence, corrects)
     SELECT $2, $3, decode(r.correction->>'issuanceKey', 'hex'), decode(r.correction->>'identityHash', 'hex'), $4, 1, $5, r.correction->'recipient',
            'a person decided: corrected', $6, $7
     FROM revocation r WHERE r.id = $1 AND decode(r.correction->>'issuanceKey', 'hex') = $8 RETURNING id`,
    [
      revocationId,
      correction.environment,
      correction.course,
      run,
      correction.pipeline,
      JSON.stringify(evidence),
      correction.issuance,
      correction.key,
    ],
  )
  const id = rows[0]?.id
  if (id === undefined)
    throw new Error(`The correction of i${correction.issuance} is about a different person; nothing was issued.`)
  await sql.query(
    `INSERT INTO issuance_match (hash, issuance_id) SELECT DISTINCT decode(hash, 'hex'), $2::bigint
     FROM revocation r, jsonb_array_elements_text(r.correction->'matchHashes') hash WHERE r.id = $1`,
    [revocationId, id],
  )
  return id
}
